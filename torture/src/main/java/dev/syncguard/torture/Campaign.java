package dev.syncguard.torture;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Judge;
import dev.syncguard.torture.history.Violation;
import dev.syncguard.torture.questions.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs workers on a store, does to them what the plan says, and judges their history.
 *
 * <p>The store itself is never touched, except by the command that the user hands in. Not thread-safe.
 */
public final class Campaign {

  private static final Duration TICK = Duration.ofMillis(50);
  private static final Duration SLOW_MACHINE = Duration.ofSeconds(1);

  private final Settings settings;
  private final Crew crew;
  private final LockBackend observer;
  private final Runnable storeRestart;
  private final boolean restartsStore;
  private final Supplier<List<Answer>> questions;
  private final Ledger ledger = new Ledger();
  private final Roster roster;
  private Optional<LockException> unanswered = Optional.empty();

  /** Somebody who watches. */
  @FunctionalInterface
  public interface Progress {
    /** Called often. */
    void at(Duration elapsed, long grants, int faults);

    /** Watches nothing. */
    static Progress unseen() {
      return (elapsed, grants, faults) -> {};
    }
  }

  /** Returns a campaign that hurts workers only. The observer looks at keys at the end, and stays the caller's to close. */
  public Campaign(Settings settings, Crew crew, LockBackend observer) {
    this(settings, crew, observer, () -> {}, false, List::of);
  }

  private Campaign(
      Settings settings,
      Crew crew,
      LockBackend observer,
      Runnable storeRestart,
      boolean restartsStore,
      Supplier<List<Answer>> questions) {
    this.settings = settings;
    this.crew = crew;
    this.observer = observer;
    this.storeRestart = storeRestart;
    this.restartsStore = restartsStore;
    this.questions = questions;
    this.roster = new Roster(settings, crew, ledger, System::nanoTime);
  }

  /** Returns the same with something that restarts the store, or fails it over, once in a storm; it returns when that is done. */
  public Campaign withStoreRestarts(Runnable restart) {
    return new Campaign(settings, crew, observer, restart, true, questions);
  }

  /** Returns the same with questions that are asked before anybody is hurt. */
  public Campaign withQuestions(Supplier<List<Answer>> asked) {
    return new Campaign(settings, crew, observer, storeRestart, restartsStore, asked);
  }

  /** Runs until the end, or until cancelled, and returns what came of it. Nobody holds a lock of ours any more then. */
  public Outcome run(Progress progress, Cancellation cancellation) {
    FaultPlan plan = plan();
    awaitStore(cancellation);
    List<Answer> answers = questions.get();
    long began;
    // The store is restarted beside everything else: faults go on meanwhile.
    ExecutorService restarts = Executors.newSingleThreadExecutor(work -> {
      Thread thread = new Thread(work, "torture-store-restart");
      thread.setDaemon(true);
      return thread;
    });
    try {
      roster.start();
      began = System.nanoTime();
      followPlan(plan, began, progress, cancellation, restarts);
    } finally {
      restarts.shutdown();
      await(restarts);
      roster.end();
      crew.close();
    }
    long ended = System.nanoTime();
    Set<String> left = awaitFreeKeys();
    var bounds = settings.bounds(observer.waitingLine().isPresent());
    List<Violation> violations = new ArrayList<>(brokenContracts(answers, began));
    violations.addAll(Judge.violations(ledger.history(), bounds));
    if (unanswered.isPresent() && violations.isEmpty()) {
      throw unanswered.get();
    }
    if (unanswered.isEmpty()) {
      left.forEach(key -> violations.add(new Violation(
          Violation.Kind.STUCK_KEY,
          key,
          System.nanoTime(),
          "All workers had ended, but the key stayed locked beyond the end of every lease")));
    }
    return new Outcome(
        settings,
        plan,
        began,
        ended,
        ledger.history(),
        violations,
        roster.done(),
        crew.notTried(),
        bounds,
        answers);
  }

  private static List<Violation> brokenContracts(List<Answer> answers, long at) {
    return answers.stream()
        .filter(answer -> answer.verdict() == Answer.Verdict.BROKEN)
        .map(answer -> new Violation(
            Violation.Kind.BROKEN_CONTRACT,
            answer.key(),
            at,
            answer.promise() + ". But: " + answer.told()))
        .toList();
  }

  /** Throws if the store cannot be used even while nobody is hurt. */
  private void awaitStore(Cancellation cancellation) {
    LockKey any = LockKey.of(settings.keyNames().get(0));
    long deadline = System.nanoTime() + settings.patience().toNanos();
    while (true) {
      try {
        observer.isLocked(any, cancellation);
        return;
      } catch (LockException e) {
        // A busy machine may need a second try.
        if (!e.isRetryable() || System.nanoTime() > deadline) {
          throw e;
        }
        sleep();
      }
    }
  }

  private FaultPlan plan() {
    Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
    kinds.addAll(crew.supported());
    if (restartsStore) {
      kinds.add(FaultKind.STORE_RESTART);
    }
    kinds.removeAll(settings.unwanted());
    return FaultPlan.of(
        settings.seed(),
        settings.length(),
        settings.workers(),
        settings.ttl(),
        settings.calm(),
        kinds);
  }

  private void followPlan(
      FaultPlan plan,
      long began,
      Progress progress,
      Cancellation cancellation,
      ExecutorService restarts) {
    int next = 0;
    long last = System.nanoTime();
    while (!cancellation.isCancelled()) {
      Duration elapsed = Duration.ofNanos(System.nanoTime() - began);
      if (elapsed.compareTo(settings.length()) >= 0) {
        return;
      }
      while (next < plan.faults().size()
          && plan.faults().get(next).after().compareTo(elapsed) <= 0) {
        apply(plan.faults().get(next), restarts);
        next++;
      }
      progress.at(elapsed, ledger.count(Granted.class), next);
      sleep();
      // What a busy machine does to all of us is not the store's fault.
      long now = System.nanoTime();
      if (now - last > TICK.plus(SLOW_MACHINE).toNanos()) {
        ledger.note(new Hurt("slow-machine", Hurt.STORE, last, now));
      }
      last = now;
    }
  }

  private void apply(Fault fault, ExecutorService restarts) {
    if (fault.kind() != FaultKind.STORE_RESTART) {
      roster.hurt(fault);
      return;
    }
    roster.count(fault.kind());
    restarts.execute(() -> {
      long begin = System.nanoTime();
      storeRestart.run();
      ledger.note(new Hurt(fault.kind().word(), Hurt.STORE, begin, System.nanoTime()));
    });
  }

  /** Returns the keys that stay locked although all leases on them must have ended, as far as the store can be asked. */
  private Set<String> awaitFreeKeys() {
    Set<String> locked = new java.util.TreeSet<>(settings.keyNames());
    long deadline = System.nanoTime()
        + settings.ttl().plusSeconds(1).plus(settings.patience()).toNanos();
    while (true) {
      unanswered = Optional.empty();
      locked.removeIf(this::isFree);
      if (locked.isEmpty() || System.nanoTime() > deadline) {
        return locked;
      }
      sleep();
    }
  }

  private boolean isFree(String key) {
    try {
      return !observer.isLocked(LockKey.of(key), Cancellation.none());
    } catch (LockException e) {
      // A store that is away says nothing about its keys.
      unanswered = Optional.of(e);
      return false;
    }
  }

  private static void await(ExecutorService restarts) {
    try {
      if (!restarts.awaitTermination(2, TimeUnit.MINUTES)) {
        restarts.shutdownNow();
      }
    } catch (InterruptedException e) {
      restarts.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private static void sleep() {
    try {
      TimeUnit.MILLISECONDS.sleep(TICK.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
