package dev.syncguard.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The live locks of the latest look, and what has changed since earlier ones, so that a page with ten thousand rows is
 * told of a few. Every look that changes something has a number; a page says which one it knows. Thread-safe.
 */
final class LockTableState {

  /** Whoever knows only what was before these is told everything anew. */
  private static final int MOST_GONE = 20_000;

  /** Until an end moves by less, it is the same end: clocks are read a moment apart. */
  private static final long JITTER_MS = 500;

  private record Numbered(long revision, LockRow row) {}

  private record Gone(long revision, String id) {}

  private final Map<String, Numbered> rows = new LinkedHashMap<>();
  private final Deque<Gone> gone = new ArrayDeque<>();
  private long revision;
  private long forgotten;

  /** Hears what a look found different. */
  interface Observer {
    void taken(LockRow row);

    void ended(LockRow row);
  }

  /** Takes what a look found, and returns whether it is something else than before. */
  synchronized boolean replace(List<LockRow> found, long now, Observer observer) {
    long next = revision + 1;
    boolean first = revision == 0;
    boolean changed = first;
    Map<String, LockRow> byId = new LinkedHashMap<>();
    found.forEach(row -> byId.put(row.id(), row));
    var known = rows.values().iterator();
    while (known.hasNext()) {
      LockRow row = known.next().row();
      if (!byId.containsKey(row.id())) {
        known.remove();
        gone.add(new Gone(next, row.id()));
        observer.ended(row);
        changed = true;
      }
    }
    for (LockRow row : byId.values()) {
      Numbered before = rows.get(row.id());
      if (before == null) {
        rows.put(row.id(), new Numbered(next, row));
        observer.taken(row);
        changed = true;
      } else if (!isSame(before.row(), row)) {
        boolean renewed = Math.abs(row.until() - before.row().until()) >= JITTER_MS;
        long since = renewed ? now : before.row().renewed();
        rows.put(row.id(), new Numbered(next, row.renewedAt(since)));
        changed = true;
      }
    }
    while (gone.size() > MOST_GONE) {
      forgotten = gone.remove().revision();
    }
    revision = changed ? next : revision;
    return changed;
  }

  private static boolean isSame(LockRow before, LockRow now) {
    return Math.abs(before.until() - now.until()) < JITTER_MS
        && before.note().equals(now.note())
        && before.waiters().equals(now.waiters());
  }

  /** Returns what changed after a revision; all that there is, if that is too long ago or none of ours. */
  synchronized ObjectNode changesSince(long known) {
    boolean all = known <= 0 || known < forgotten || known > revision;
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("revision", revision).put("all", all);
    ArrayNode locks = node.putArray("locks");
    rows.values().stream()
        .filter(row -> all || row.revision() > known)
        .forEach(row -> locks.add(row.row().json()));
    ArrayNode ids = node.putArray("gone");
    if (!all) {
      gone.stream().filter(row -> row.revision() > known).forEach(row -> ids.add(row.id()));
    }
    return node;
  }
}
