package dev.syncguard.cli;

import dev.syncguard.lock.LockInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Shows locks to people as aligned columns, and to programs as JSON. */
final class LockTable {

  private static final String HEADING =
      row("KEY HASH", "FENCE", "HELD FOR", "ENDS IN", "LOCK HASH");

  private LockTable() {}

  /** Returns a heading and a line per lock. */
  static List<String> lines(List<LockInfo> locks) {
    List<String> lines = new ArrayList<>();
    lines.add(HEADING);
    for (LockInfo lock : locks) {
      lines.add(row(
          lock.keyHash().hex(),
          Long.toString(lock.fence().value()),
          Durations.text(Duration.between(lock.acquiredAt(), lock.observedAt())),
          Durations.text(lock.remaining()),
          lock.lockIdHash().hex()));
    }
    return lines;
  }

  private static String row(String key, String fence, String held, String left, String lock) {
    return pad(key, 24) + "  " + padLeft(fence, 15) + "  " + padLeft(held, 8) + "  "
        + padLeft(left, 8) + "  " + lock;
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String padLeft(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }

  static JsonLine describe(JsonLine json, LockInfo lock) {
    return json.add("keyHash", lock.keyHash().hex())
        .add("lockIdHash", lock.lockIdHash().hex())
        .add("fence", lock.fence().text())
        .add("acquiredAtMs", lock.acquiredAt().toEpochMilli())
        .add("expiresAtMs", lock.expiresAt().toEpochMilli())
        .add("remainingMs", lock.remaining().toMillis());
  }

  /** Returns a text that cannot do anything to a terminal. */
  static String printable(String text) {
    return text.codePoints()
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
