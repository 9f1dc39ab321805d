package dev.syncguard.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.console.Changes.Topic;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Hears from the embedded Firestore what changes in it, while a page is open, and passes that on. Other emulators tell
 * nothing; their pages ask. Runs on a thread of its own.
 */
final class FirestoreChanges implements Runnable {

  private static final List<Topic> TOPICS = List.of(Topic.DATA, Topic.REQUESTS, Topic.ACTIVITY);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final FirestoreProxy firestore;
  private final Changes changes;

  FirestoreChanges(FirestoreProxy firestore, Changes changes) {
    this.firestore = firestore;
    this.changes = changes;
  }

  @Override
  public void run() {
    try {
      while (changes.awaitPage()) {
        try {
          follow();
        } catch (IOException e) {
          // Its page says so; it may come back.
          changes.promise(TOPICS, false);
        }
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The console is closed.
    }
  }

  private void follow() throws IOException, InterruptedException {
    HttpResponse<InputStream> answer = firestore.changes();
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), UTF_8))) {
      if (answer.statusCode() != 200) {
        throw new IOException("It does not tell of changes");
      }
      changes.promise(TOPICS, true);
      for (String line = lines.readLine();
          line != null && changes.isWatched();
          line = lines.readLine()) {
        changes.tell(topics(line));
      }
    }
    changes.promise(TOPICS, false);
  }

  private static List<Topic> topics(String line) throws IOException {
    List<Topic> topics = new ArrayList<>();
    for (JsonNode name : JSON.readTree(line).path("changed")) {
      TOPICS.stream()
          .filter(topic -> topic.name().toLowerCase(Locale.ROOT).equals(name.asText()))
          .forEach(topics::add);
    }
    return topics;
  }
}
