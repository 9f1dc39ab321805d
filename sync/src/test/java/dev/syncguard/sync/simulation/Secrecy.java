package dev.syncguard.sync.simulation;

import dev.syncguard.sync.replay.Settings;
import java.util.HashSet;
import java.util.Set;

/** Reads everything that leaves the engine for people or logs, and knows what must not be in it. */
final class Secrecy {

  private static final Set<String> API_KEY = Set.of(Settings.API_KEY);

  private final Forum forum;
  private final Set<String> users = new HashSet<>();

  Secrecy(Forum forum) {
    this.forum = forum;
  }

  void keepUser(String userId) {
    users.add(userId);
  }

  void check(String where, String text) {
    check(where, text, users);
    check(where, text, forum.secrets());
    check(where, text, forum.nodes());
    check(where, text, API_KEY);
  }

  /** What is sent must not name the user or hold the secret; the node it is sent to is known to the server. */
  void checkPayload(String text) {
    check("a commit", text, users);
    check("a commit", text, forum.secrets());
  }

  private static void check(String where, String text, Set<String> forbidden) {
    for (String word : forbidden) {
      Violation.unless(
          !text.contains(word), "secrets stay secret", () -> where + " contains one: " + text);
    }
  }
}
