package dev.syncguard.cli;

import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockNote;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Shows locks to people as aligned columns, and to programs as JSON. */
final class LockTable {

  /** As many digits of a hash tell apart what fits on a screen. */
  private static final int HASH_DIGITS = 8;

  private LockTable() {}

  /** Returns a heading and a line per lock, what matters most on the left, where no narrow screen cuts it off. */
  static List<String> lines(List<LockInfo> locks) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("KEY HASH", "ENDS IN", "HELD FOR", "WAITING", "FENCE", "LOCK HASH", "NOTE"));
    for (LockInfo lock : locks) {
      rows.add(List.of(
          lock.keyHash().hex().substring(0, HASH_DIGITS),
          Durations.text(lock.remaining()),
          Durations.text(Duration.between(lock.acquiredAt(), lock.observedAt())),
          waiting(lock, "-"),
          Long.toString(lock.fence().value()),
          lock.lockIdHash().hex().substring(0, HASH_DIGITS),
          lock.note().map(LockNote::text).orElse("")));
    }
    return rows.stream().map(row -> line(row, rows)).toList();
  }

  private static String line(List<String> row, List<List<String>> rows) {
    StringBuilder line = new StringBuilder(row.get(0));
    for (int i = 1; i < row.size() - 1; i++) {
      int column = i;
      int width = rows.stream().mapToInt(one -> one.get(column).length()).max().orElse(0);
      line.append("  ").append(" ".repeat(width - row.get(i).length())).append(row.get(i));
    }
    return line.append("  ").append(row.get(row.size() - 1)).toString().stripTrailing();
  }

  /** Returns how many stand in line, or something else if the store does not know. */
  static String waiting(LockInfo lock, String otherwise) {
    return lock.waiting().isPresent() ? Integer.toString(lock.waiting().getAsInt()) : otherwise;
  }

  static JsonLine describe(JsonLine json, LockInfo lock) {
    json.add("keyHash", lock.keyHash().hex())
        .add("lockIdHash", lock.lockIdHash().hex())
        .add("fence", lock.fence().text())
        .add("acquiredAtMs", lock.acquiredAt().toEpochMilli())
        .add("expiresAtMs", lock.expiresAt().toEpochMilli())
        .add("remainingMs", lock.remaining().toMillis());
    lock.waiting().ifPresent(waiting -> json.add("waiting", waiting));
    lock.note().ifPresent(note -> json.add("note", note.text()));
    return json;
  }

  /** Returns a text that cannot do anything to a terminal. */
  static String printable(String text) {
    return text.codePoints()
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
