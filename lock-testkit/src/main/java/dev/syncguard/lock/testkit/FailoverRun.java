package dev.syncguard.lock.testkit;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.torture.Campaign;
import dev.syncguard.torture.FaultKind;
import dev.syncguard.torture.Outcome;
import dev.syncguard.torture.Settings;
import dev.syncguard.torture.ThreadCrew;
import dev.syncguard.torture.history.Event;
import dev.syncguard.torture.history.Event.Ending;
import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Event.Released;
import dev.syncguard.torture.history.Event.Strayed;
import dev.syncguard.torture.history.Judge;
import dev.syncguard.torture.history.Violation;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Load on a store while something happens to it, once, and what came of that. */
public final class FailoverRun {

  private static final Set<Violation.Kind> ABOUT_FENCES =
      EnumSet.of(Violation.Kind.REPEATED_FENCE, Violation.Kind.FALLING_FENCE);

  private static final Set<Violation.Kind> ANSWERS =
      EnumSet.of(Violation.Kind.WRONG_ANSWER, Violation.Kind.STRAY_SUCCESS);

  private static final Duration LONGEST = Duration.ofMinutes(2);

  /** Each run of a process is another story, the first one always the same. */
  private static final AtomicLong RUNS = new AtomicLong();

  private static final int GRANTS_AFTERWARDS = 40;
  private static final int WORKERS = 4;
  private static final int THREADS = 2;
  private static final Duration AFTERWARDS = Duration.ofSeconds(2);

  private final Outcome outcome;

  private FailoverRun(Outcome outcome) {
    this.outcome = outcome;
  }

  /** What happens to the store; it returns when the store should go on. */
  @FunctionalInterface
  public interface Failover {
    /** Fails the store over, and returns when the new primary is meant to serve. */
    void happen() throws Exception;
  }

  /** What happens to a store under a load that it can look at. */
  @FunctionalInterface
  public interface WatchedFailover {
    /** Fails the store over while the load goes on. */
    void happen(Load load) throws Exception;
  }

  /** The workers while they take locks. */
  @FunctionalInterface
  public interface Load {

    /** Returns when somebody has got a lock that was asked for after this call. */
    void awaitGrant() throws InterruptedException;
  }

  /** Lets four workers, each with a backend of its own, take locks before, while and after something happens to the store. */
  public static FailoverRun of(Supplier<LockBackend> store, Failover failover) {
    return watched(store, load -> failover.happen());
  }

  /** As {@link #of}; what happens can wait for a lock to be granted, so that one is lost for certain. */
  public static FailoverRun watched(Supplier<LockBackend> store, WatchedFailover failover) {
    AtomicLong grantsSoFar = new AtomicLong();
    Load load = () -> {
      // No more than one request of each thread can have been under way.
      long enough = grantsSoFar.get() + WORKERS * THREADS + 1;
      while (grantsSoFar.get() < enough) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
    };
    AtomicBoolean happened = new AtomicBoolean();
    AtomicLong grantsBefore = new AtomicLong(Long.MAX_VALUE);
    AtomicReference<Throwable> problem = new AtomicReference<>();
    Cancellation end = Cancellation.create();
    EnumSet<FaultKind> others = EnumSet.complementOf(EnumSet.of(FaultKind.STORE_RESTART));
    Settings settings = new Settings(
        LONGEST,
        WORKERS,
        THREADS,
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
              failover.happen(load);
              happened.set(true);
            } catch (Throwable e) {
              problem.set(e);
              end.cancel();
            }
          });
      long[] since = {0};
      Outcome outcome = campaign.run(
          (elapsed, grants, faults) -> {
            grantsSoFar.set(grants);
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

  private static String caller() {
    return StackWalker.getInstance()
        .walk(frames -> frames
            .filter(frame -> !frame.getClassName().equals(FailoverRun.class.getName()))
            .findFirst()
            .map(frame -> frame.getMethodName())
            .orElse(""));
  }

  /** Returns every broken promise that the history shows. */
  public List<Violation> violations() {
    return outcome.violations();
  }

  /** Returns the violations that a resource which checks fences does not protect from. */
  public List<Violation> fenceViolations() {
    return outcome.violations().stream()
        .filter(violation -> ABOUT_FENCES.contains(violation.kind()))
        .toList();
  }

  /**
   * Returns the violations that a store explains by none of the releases which it may have forgotten.
   *
   * <p>Where releases wait for nobody, one may be lost with the primary: then its lease is there again until it ends by itself. All
   * that was written before a grant is kept with it, so only releases after the last grant before the failover are excused.
   */
  public List<Violation> violationsBesidesForgottenReleases() {
    long lastKept = grants().stream()
        .filter(grant -> grant.at() < hurt().at())
        .mapToLong(Granted::sent)
        .max()
        .orElse(Long.MIN_VALUE);
    Set<Lease> forgotten = outcome.history().stream()
        .filter(event -> event instanceof Released released
            && released.at() >= lastKept
            && released.sent() <= hurt().until())
        .map(Lease::of)
        .collect(Collectors.toSet());
    List<Event> excused = outcome.history().stream()
        .filter(event -> !(event instanceof Strayed && forgotten.contains(Lease.of(event))))
        .map(event -> event instanceof Released released && forgotten.contains(Lease.of(event))
            ? unanswered(released)
            : event)
        .toList();
    return Judge.violations(excused, outcome.bounds());
  }

  /** Returns the same without what an old primary answered that was reachable for a while, unaware of its successor. */
  public List<Violation> violationsBesidesAnswersOfAnOldPrimary() {
    return violationsBesidesForgottenReleases().stream()
        .filter(violation -> !(ANSWERS.contains(violation.kind())
            && violation.at() >= hurt().at()
            && violation.at() <= hurt().until()))
        .toList();
  }

  private static Event unanswered(Released released) {
    return new Released(
        released.worker(),
        released.key(),
        released.attempt(),
        released.sent(),
        released.at(),
        Ending.UNKNOWN);
  }

  /** What names a lease in a history. */
  private record Lease(int worker, long attempt) {
    static Lease of(Event event) {
      Event.OfWorker told = (Event.OfWorker) event;
      return new Lease(told.worker(), told.attempt());
    }
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
        + " ms until the store was back, violations " + kinds
        + violations().stream()
            .filter(violation -> violation.kind() == Violation.Kind.WRONG_ERROR)
            .map(violation -> "; " + violation.text())
            .distinct()
            .collect(Collectors.joining());
  }
}
