package dev.syncguard.cli;

import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockNote;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Shows locks to people as aligned columns, and to programs as JSON. */
final class LockTable {

  /** As many digits of a hash tell apart what fits on a screen. */
  private static final int HASH_DIGITS = 8;

  private LockTable() {}

  /** All that can be said about a lock. */
  private static final List<String> HEADING =
      List.of("KEY HASH", "ENDS IN", "HELD FOR", "WAITING", "FENCE", "LOCK HASH", "NOTE");

  /** The columns that a narrow screen can do without, the least interesting one first. */
  private static final List<Integer> DISPENSABLE = List.of(5, 4, 2, 3);

  /** Returns a heading and a line per lock; columns that do not fit into the width are left out, the note is cut. */
  static List<String> lines(LiveLocks live, int width) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(new ArrayList<>(HEADING));
    if (!live.keys().isEmpty()) {
      rows.get(0).set(0, "KEY");
    }
    for (LockInfo lock : live.locks()) {
      rows.add(List.of(
          live.key(lock)
              .map(key -> printable(key.value()))
              .orElseGet(() -> lock.keyHash().hex().substring(0, HASH_DIGITS)),
          Durations.text(lock.remaining()),
          Durations.text(Duration.between(lock.acquiredAt(), lock.observedAt())),
          waiting(lock, "-"),
          Long.toString(lock.fence().value()),
          lock.lockIdHash().hex().substring(0, HASH_DIGITS),
          lock.note().map(LockNote::text).orElse("")));
    }
    List<Integer> columns = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6));
    List<String> lines = lines(rows, columns);
    for (Integer column : DISPENSABLE) {
      if (lines.stream().allMatch(line -> line.length() <= width)) {
        return lines;
      }
      columns.remove(column);
      lines = lines(rows, columns);
    }
    return lines.stream()
        .map(line -> line.substring(0, Math.min(line.length(), width)).stripTrailing())
        .toList();
  }

  private static List<String> lines(List<List<String>> rows, List<Integer> columns) {
    return rows.stream()
        .map(row -> columns.stream()
            .map(column -> padded(row.get(column), column, rows))
            .collect(Collectors.joining("  "))
            .stripTrailing())
        .toList();
  }

  /** Texts stand on the left of their column, numbers on the right. */
  private static String padded(String cell, int column, List<List<String>> rows) {
    if (column == HEADING.size() - 1) {
      return cell;
    }
    int width = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    String space = " ".repeat(width - cell.length());
    return column == 0 ? cell + space : space + cell;
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
