package dev.syncguard.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.Capabilities.TimeAuthority;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockListing;
import dev.syncguard.lock.spi.StoreCheck;
import dev.syncguard.lock.spi.StoreCheck.Finding;
import dev.syncguard.lock.spi.StoreCheck.Severity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Looks at a store again and again, and remembers what it saw. Thread-safe; {@link #look} and {@link #examine} run one at a time. */
final class StoreWatch {

  /** How far the clocks may be apart before the page says so. */
  private static final long NOTABLE_OFFSET_MS = 1000;

  private final LockBackend backend;
  private final History history;
  private final Time time;
  private final int limit;
  private final boolean raw;
  private final LockTableState table = new LockTableState();

  private volatile Sight sight = new Sight(Optional.empty(), 0, true);
  private volatile List<Finding> findings = List.of();

  /**
   * What the latest look said about the store itself.
   *
   * @param problem why it failed, if it did
   * @param offsetMs how far the store's clock is ahead of ours
   * @param complete whether all live locks are shown
   */
  private record Sight(Optional<String> problem, long offsetMs, boolean complete) {

    /** Whether a page would show the same; an offset is measured a little differently each time. */
    boolean isAs(Sight other) {
      return problem.equals(other.problem)
          && complete == other.complete
          && Math.abs(offsetMs - other.offsetMs) < NOTABLE_OFFSET_MS / 2;
    }
  }

  /**
   * @param limit how many locks to show at most
   * @param raw whether to show the names of keys
   */
  StoreWatch(LockBackend backend, History history, Time time, int limit, boolean raw) {
    this.backend = backend;
    this.history = history;
    this.time = time;
    this.limit = limit;
    this.raw = raw;
  }

  /**
   * Looks once and returns whether anything is different. A store that does not answer is told, and what it said before
   * stays.
   */
  boolean look() {
    Sight before = sight;
    boolean changed = false;
    try {
      Optional<LockListing> listing = backend.listing();
      if (listing.isPresent()) {
        changed = look(listing.get());
      } else {
        sight = new Sight(
            Optional.of(
                "This store cannot list its locks; the page knows only what processes tell"),
            0,
            true);
      }
    } catch (RuntimeException e) {
      sight = new Sight(Optional.of(words(e)), before.offsetMs(), true);
    }
    return changed || !sight.isAs(before);
  }

  private boolean look(LockListing listing) {
    long asked = time.now().toEpochMilli();
    List<LockInfoDebug> found = listing.liveRaw(limit + 1, Cancellation.none());
    long answered = time.now().toEpochMilli();
    long offset = offset(found, (asked + answered) / 2);
    List<LockRow> rows = found.stream()
        .limit(limit)
        .map(info -> raw ? LockRow.named(info, offset) : LockRow.of(info.sanitized(), offset))
        .toList();
    sight = new Sight(Optional.empty(), offset, found.size() <= limit);
    return table.replace(rows, answered, history.observing(answered));
  }

  /** Half of the round trip is our guess at when the store read its clock. */
  private static long offset(List<LockInfoDebug> found, long askedAndAnswered) {
    return found.isEmpty() ? 0 : found.get(0).observedAt().toEpochMilli() - askedAndAnswered;
  }

  /** Asks the store whether it can keep what we promise, as {@code doctor} does; returns whether the answer is another one. */
  boolean examine() {
    List<Finding> wrong;
    try {
      wrong =
          backend
              .storeCheck()
              .map(check -> check.examine(Cancellation.none()))
              .orElse(List.of())
              .stream()
              .filter(finding -> finding.severity() != Severity.GOOD)
              .toList();
    } catch (RuntimeException e) {
      wrong = List.of(new StoreCheck.Finding(Severity.FAILURE, "reachable", words(e)));
    }
    boolean changed = !wrong.equals(findings);
    findings = wrong;
    return changed;
  }

  private static String words(RuntimeException e) {
    return e instanceof LockException lock
        ? lock.code().specName() + ": " + lock.getMessage()
        : "The store could not be read: " + e.getClass().getSimpleName();
  }

  /** Returns what is new for a page that knows the given revision. */
  ObjectNode changesSince(long revision) {
    Sight now = sight;
    ObjectNode node = table.changesSince(revision);
    node.put("now", time.now().toEpochMilli()).put("complete", now.complete());
    now.problem().ifPresent(text -> node.put("problem", text));
    boolean storeDecides = backend.capabilities().timeAuthority() == TimeAuthority.SERVER;
    if (storeDecides && Math.abs(now.offsetMs()) >= NOTABLE_OFFSET_MS) {
      node.put("clockOffsetMs", now.offsetMs());
    }
    ArrayNode array = node.putArray("findings");
    findings.forEach(finding -> array
        .addObject()
        .put("severity", finding.severity().name().toLowerCase(Locale.ROOT))
        .put("subject", finding.subject())
        .put("message", finding.message()));
    return node;
  }
}
