package dev.syncguard.lock.testkit;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.torture.Campaign;
import dev.syncguard.torture.FaultKind;
import dev.syncguard.torture.Outcome;
import dev.syncguard.torture.Settings;
import dev.syncguard.torture.ThreadCrew;
import dev.syncguard.torture.history.Event;
import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Violation;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Load on a store while something happens to it, once, and what came of that. */
public final class FailoverRun {

  private static final Set<Violation.Kind> ABOUT_FENCES =
      EnumSet.of(Violation.Kind.REPEATED_FENCE, Violation.Kind.FALLING_FENCE);

  private static final Duration LONGEST = Duration.ofMinutes(2);

  /** Each run of a process is another story, the first one always the same. */
  private static final AtomicLong RUNS = new AtomicLong();

  private static final int GRANTS_AFTERWARDS = 40;
  private static final int MOMENTS = 6;
  private static final Duration AFTERWARDS = Duration.ofSeconds(2);

  private final Outcome outcome;

  private FailoverRun(Outcome outcome) {
    this.outcome = outcome;
  }

  /** What happens to the store; it returns when the store should go on. */
  @FunctionalInterface
  public interface Failover {
    void happen() throws Exception;
  }

  /** Lets four workers, each with a backend of its own, take locks before, while and after something happens to the store. */
  public static FailoverRun of(Supplier<LockBackend> store, Failover failover) {
    AtomicBoolean happened = new AtomicBoolean();
    AtomicLong grantsBefore = new AtomicLong(Long.MAX_VALUE);
    AtomicReference<Throwable> problem = new AtomicReference<>();
    Cancellation end = Cancellation.create();
    EnumSet<FaultKind> others = EnumSet.complementOf(EnumSet.of(FaultKind.STORE_RESTART));
    Settings settings = new Settings(
        LONGEST,
        4,
        2,
        3,
        Duration.ofSeconds(3),
        // Longer than the run: the second failover never comes.
        LONGEST,
        RUNS.incrementAndGet(),
        "failover:",
        others);
    try (LockBackend observer = store.get()) {
      Campaign campaign = new Campaign(settings, new ThreadCrew(store), observer)
          .withStoreRestarts(() -> {
            try {
              failover.happen();
              happened.set(true);
            } catch (Throwable e) {
              problem.set(e);
              end.cancel();
            }
          });
      long[] since = {0};
      Outcome outcome = campaign.run(
          (elapsed, grants, faults) -> {
            if (happened.get() && grantsBefore.get() == Long.MAX_VALUE) {
              grantsBefore.set(grants);
              since[0] = elapsed.toNanos();
            }
            boolean enough = happened.get()
                && grants - grantsBefore.get() >= GRANTS_AFTERWARDS
                && elapsed.toNanos() - since[0] >= AFTERWARDS.toNanos();
            if (enough) {
              end.cancel();
            }
          },
          end);
      if (problem.get() != null) {
        throw new AssertionError("What was to happen to the store failed", problem.get());
      }
      FailoverRun run = new FailoverRun(outcome);
      if (Boolean.getBoolean("syncguard.failover.tell")) {
        System.out.println("FAILOVER " + caller() + ": " + run);
      }
      return run;
    }
  }

  /**
   * Returns the first of a few runs in which a fence was lost, else the last one. Nothing is lost in a moment in which nobody
   * got a lock, so a store that forgets may get away with one of them.
   */
  public static FailoverRun firstLoss(Callable<FailoverRun> story) throws Exception {
    FailoverRun run = story.call();
    for (int i = 1; i < MOMENTS && run.fenceViolations().isEmpty(); i++) {
      run = story.call();
    }
    return run;
  }

  private static String caller() {
    return StackWalker.getInstance()
        .walk(frames -> frames
            .filter(frame -> !frame.getClassName().equals(FailoverRun.class.getName()))
            .findFirst()
            .map(frame -> frame.getMethodName())
            .orElse(""));
  }

  public List<Violation> violations() {
    return outcome.violations();
  }

  /** Returns the violations that a resource which checks fences does not protect from. */
  public List<Violation> fenceViolations() {
    return outcome.violations().stream()
        .filter(violation -> ABOUT_FENCES.contains(violation.kind()))
        .toList();
  }

  /** Returns how many locks were asked for and granted after it had happened. */
  public long grantsAfterwards() {
    long over = hurt().until();
    return grants().stream().filter(grant -> grant.sent() > over).count();
  }

  /** Returns the longest time without a grant around what happened. */
  public Duration outage() {
    List<Granted> grants = grants();
    long longest = 0;
    for (int i = 1; i < grants.size(); i++) {
      if (grants.get(i).at() > hurt().at()) {
        longest = Math.max(longest, grants.get(i).at() - grants.get(i - 1).at());
      }
    }
    return Duration.ofNanos(longest);
  }

  private List<Granted> grants() {
    return outcome.history().stream()
        .filter(Granted.class::isInstance)
        .map(Granted.class::cast)
        .sorted(java.util.Comparator.comparingLong(Event::at))
        .toList();
  }

  private Hurt hurt() {
    return outcome.history().stream()
        .filter(event -> event instanceof Hurt hurt && hurt.fault().equals("store-restart"))
        .map(Hurt.class::cast)
        .findFirst()
        .orElseThrow(() -> new AssertionError("Nothing happened to the store"));
  }

  @Override
  public String toString() {
    Map<Violation.Kind, Integer> kinds = new TreeMap<>();
    violations().forEach(violation -> kinds.merge(violation.kind(), 1, Integer::sum));
    return grants().size() + " grants, " + grantsAfterwards() + " of them afterwards, "
        + outage().toMillis() + " ms without any, "
        + Duration.ofNanos(hurt().until() - hurt().at()).toMillis()
        + " ms until the store was back, violations " + kinds;
  }
}
