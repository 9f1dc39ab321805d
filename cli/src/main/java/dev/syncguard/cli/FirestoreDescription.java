package dev.syncguard.cli;

import dev.syncguard.firestore.server.index.CompositeIndex;
import dev.syncguard.firestore.server.index.IndexConfiguration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a Firestore was told to do about rights, indexes and TTL policies, for people and for programs. */
record FirestoreDescription(
    Optional<Path> rules, Optional<Path> indexFile, IndexConfiguration indexes) {

  /** Something that holds for the collections of one id. */
  private record Setting(String what, String collection, String value) {
    JsonLine json() {
      return new JsonLine().add("setting", what).add("collection", collection).add("value", value);
    }
  }

  JsonLine json() {
    JsonLine line = new JsonLine().add("ok", true);
    rules.ifPresent(file -> line.add("rules", file.toString()));
    indexFile.ifPresent(file -> line.add("indexes", file.toString()));
    return line.add("settings", settings().stream().map(Setting::json).toList());
  }

  String text() {
    List<String> lines = new ArrayList<>();
    lines.add("rules    " + rules.map(Path::toString).orElse("none: every request is allowed"));
    lines.add("indexes  " + indexFile.map(Path::toString).orElse("the automatic ones"));
    settings()
        .forEach(setting -> lines.add(
            "  " + setting.what() + "  " + setting.collection() + ": " + setting.value()));
    return String.join(System.lineSeparator(), lines);
  }

  private List<Setting> settings() {
    List<Setting> settings = new ArrayList<>();
    indexes
        .composites()
        .forEach(index ->
            settings.add(new Setting("composite", index.collectionId(), composite(index))));
    new TreeMap<>(indexes.exemptions())
        .forEach((collection, fields) -> fields.stream()
            .sorted()
            .forEach(
                field -> settings.add(new Setting("not indexed", collection, field.toString()))));
    new TreeMap<>(indexes.ttlPolicies())
        .forEach((collection, field) ->
            settings.add(new Setting("TTL policy", collection, field.toString())));
    return settings;
  }

  private static String composite(CompositeIndex index) {
    String fields = index.fields().stream()
        .map(field -> field.path() + " " + field.order().name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
    return index.group() ? fields + " (collection group)" : fields;
  }
}
