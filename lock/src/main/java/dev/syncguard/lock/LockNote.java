package dev.syncguard.lock;

import dev.syncguard.lock.runtime.HostName;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A few words about a holder, for people who wonder who has a lock: {@code "nightly backup, pid 4711 on web-1"}.
 *
 * <p>It is stored beside the lock and shown to everybody who may look at the store, so it must not contain secrets. Nothing
 * is decided by it. Immutable.
 *
 * @param text one line of at most {@value #MOST_BYTES} bytes, without control characters
 */
public record LockNote(String text) {

  /** A note travels with every grant, so it is short. */
  public static final int MOST_BYTES = 200;

  /** Throws {@code InvalidArgument} if the text is none that a screen could show on one line. */
  public LockNote {
    if (text.isBlank() || utf8Length(text) > MOST_BYTES || !isOneLine(text)) {
      throw LockException.invalidArgument("A note must be one line of 1 to " + MOST_BYTES
          + " UTF-8 bytes, without control characters; shorten it, or leave it out");
    }
  }

  /** Returns a note with this text. */
  public static LockNote of(String text) {
    return new LockNote(text);
  }

  /** Returns a note that names this process: {@code "pid 4711 on web-1"}. */
  public static LockNote ofThisProcess() {
    return new LockNote(thisProcess());
  }

  /** Returns a note with a word of the user's that also names this process: {@code "backup, pid 4711 on web-1"}. */
  public static LockNote ofThisProcess(String word) {
    return new LockNote(word + ", " + thisProcess());
  }

  private static String thisProcess() {
    return "pid " + ProcessHandle.current().pid() + " on " + HostName.ofThisMachine();
  }

  /**
   * Returns the note in what a store keeps; empty if there is none, or something that is none. For backends: another client
   * may have stored anything, and a note must never be what a look-up fails for.
   */
  public static Optional<LockNote> stored(@Nullable Object value) {
    if (!(value instanceof String text)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new LockNote(text));
    } catch (LockException e) {
      return Optional.empty();
    }
  }

  private static int utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Returns whether the text can neither move a cursor nor turn the direction of what follows it. */
  private static boolean isOneLine(String text) {
    return text.codePoints().noneMatch(character -> switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE -> true;
      default -> false;
    });
  }

  @Override
  public String toString() {
    return text;
  }
}
