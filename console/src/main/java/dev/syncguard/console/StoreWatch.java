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

  private volatile Health health = new Health(Optional.empty(), List.of(), 0, true);

  /**
   * @param problem why the latest look failed, if it did
   * @param findings what is wrong with the store
   * @param offsetMs how far the store's clock is ahead of ours
   * @param complete whether all live locks are shown
   */
  private record Health(
      Optional<String> problem, List<Finding> findings, long offsetMs, boolean complete) {}

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

  /** Looks once; a store that does not answer is told, and what it said before stays. */
  void look() {
    Health before = health;
    try {
      Optional<LockListing> listing = backend.listing();
      if (listing.isEmpty()) {
        health = new Health(
            Optional.of(
                "This store cannot list its locks; the page knows only what processes tell"),
            before.findings(),
            0,
            true);
        return;
      }
      long asked = time.now().toEpochMilli();
      List<LockInfoDebug> found = listing.get().liveRaw(limit + 1, Cancellation.none());
      long answered = time.now().toEpochMilli();
      long offset = offset(found, (asked + answered) / 2);
      List<LockRow> rows = found.stream()
          .limit(limit)
          .map(info -> raw ? LockRow.named(info, offset) : LockRow.of(info.sanitized(), offset))
          .toList();
      table.replace(rows, answered, history.observing(answered));
      health = new Health(Optional.empty(), before.findings(), offset, found.size() <= limit);
    } catch (RuntimeException e) {
      health = new Health(Optional.of(words(e)), before.findings(), before.offsetMs(), true);
    }
  }

  /** Half of the round trip is our guess at when the store read its clock. */
  private static long offset(List<LockInfoDebug> found, long askedAndAnswered) {
    return found.isEmpty() ? 0 : found.get(0).observedAt().toEpochMilli() - askedAndAnswered;
  }

  /** Asks the store whether it can keep what we promise, as {@code doctor} does. */
  void examine() {
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
    Health now = health;
    health = new Health(now.problem(), wrong, now.offsetMs(), now.complete());
  }

  private static String words(RuntimeException e) {
    return e instanceof LockException lock
        ? lock.code().specName() + ": " + lock.getMessage()
        : "The store could not be read: " + e.getClass().getSimpleName();
  }

  /** Returns what is new for a page that knows the given revision. */
  ObjectNode changesSince(long revision) {
    Health now = health;
    ObjectNode node = table.changesSince(revision);
    node.put("now", time.now().toEpochMilli()).put("complete", now.complete());
    now.problem().ifPresent(text -> node.put("problem", text));
    boolean storeDecides = backend.capabilities().timeAuthority() == TimeAuthority.SERVER;
    if (storeDecides && Math.abs(now.offsetMs()) >= NOTABLE_OFFSET_MS) {
      node.put("clockOffsetMs", now.offsetMs());
    }
    ArrayNode findings = node.putArray("findings");
    now.findings()
        .forEach(finding -> findings
            .addObject()
            .put("severity", finding.severity().name().toLowerCase(Locale.ROOT))
            .put("subject", finding.subject())
            .put("message", finding.message()));
    return node;
  }

  LockTableState table() {
    return table;
  }
}
