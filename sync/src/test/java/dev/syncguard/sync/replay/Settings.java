package dev.syncguard.sync.replay;

import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings that stories differ in. */
public record Settings(
    Site site, boolean metadataProbe, int readCap, int authorCap, int softBudget, int hardBudget) {

  public static final String PROJECT = "reader";
  public static final String API_KEY = "api-key-that-identifies-the-project";
  public static final String ENDPOINT = "http://cloud.test/v1";

  public SyncConfig config() {
    return SyncConfig.builder(site)
        .project(PROJECT, API_KEY)
        .endpoint(ENDPOINT)
        .metadataProbe(metadataProbe)
        .readCap(readCap)
        .authorCap(authorCap)
        .dailyPushes(softBudget, hardBudget)
        .build();
  }

  String line() {
    return Words.join(site, metadataProbe, readCap, authorCap, softBudget, hardBudget);
  }

  static Settings of(String line) {
    List<@Nullable String> words = Words.split(line);
    return new Settings(
        Site.valueOf(words.get(0)),
        Boolean.parseBoolean(words.get(1)),
        number(words.get(2)),
        number(words.get(3)),
        number(words.get(4)),
        number(words.get(5)));
  }

  private static int number(@Nullable String word) {
    return Integer.parseInt(String.valueOf(word));
  }
}
