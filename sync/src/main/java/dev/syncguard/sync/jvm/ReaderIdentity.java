package dev.syncguard.sync.jvm;

import dev.syncguard.sync.ForumIdentity;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/** Whose state a device shows. */
@FunctionalInterface
public interface ReaderIdentity {

  /** Returns what stands for the forum, answering on the engine's thread. */
  ForumIdentity on(Executor engine);

  /**
   * Returns a reader without a forum: a file on this machine takes the place of their profile. All devices that are
   * given the same file and user belong to the same reader.
   */
  static ReaderIdentity account(String userId, Path file) {
    requirePlain("user", userId);
    return engine -> new AccountFile(userId, file, engine);
  }

  /** Returns a reader of a real forum, with the secret that their browser keeps in their profile there. */
  static ReaderIdentity known(String userId, String secret) {
    requirePlain("user", userId);
    requirePlain("secret", secret);
    return engine -> new KnownReader(userId, secret, engine);
  }

  private static void requirePlain(String what, String text) {
    boolean plain = !text.isEmpty()
        && text.chars()
            .allMatch(c -> c == '-' || c == '_' || (c < 0x80 && Character.isLetterOrDigit(c)));
    if (!plain) {
      throw new IllegalArgumentException(
          "The " + what + " may consist of letters, digits, - and _ only, and not be empty");
    }
  }
}
