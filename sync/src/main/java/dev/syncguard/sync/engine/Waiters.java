package dev.syncguard.sync.engine;

import dev.syncguard.sync.StartOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Those outside who want to be told: that the reader can be shown, that a pull or a push is over. */
final class Waiters {

  private static final long SOON = 10_000;

  private final Session session;
  private final List<Runnable> forPull = new ArrayList<>();
  private final List<Runnable> forPush = new ArrayList<>();
  private @Nullable Consumer<StartOutcome> forStart;
  private long startUntil;

  Waiters(Session session) {
    this.session = session;
  }

  /** Lets {@code waiter} wait for the first pull, and for its retries, for at most so long. */
  void awaitStart(long millis, Consumer<StartOutcome> waiter) {
    forStart = waiter;
    startUntil = session.tempo.now() + millis;
    session.timers.schedule(millis, () -> started(StartOutcome.LOCAL_FOR_NOW));
  }

  void awaitPull(Runnable waiter) {
    forPull.add(waiter);
  }

  void awaitPush(Runnable waiter) {
    forPush.add(waiter);
  }

  boolean startAwaited() {
    return forStart != null;
  }

  void started(StartOutcome outcome) {
    Consumer<StartOutcome> waiter = forStart;
    if (waiter != null) {
      forStart = null;
      session.tell(() -> waiter.accept(outcome));
    }
  }

  void pullIsOver() {
    release(forPull);
  }

  void pushIsOver() {
    release(forPush);
  }

  /** Lets those go on who wait for something that will not happen soon, and returns whether a push is among that. */
  boolean tell(Agenda.@Nullable Step next) {
    long pullsIn = next == null || next.work() == Agenda.Work.PUSH ? Tempo.NEVER : next.delay();
    boolean pullsNow = pullsIn == 0;
    boolean pushesSoon = next != null && next.work() == Agenda.Work.PUSH && next.delay() <= SOON;
    if (session.tempo.now() + pullsIn >= startUntil) {
      started(session.mayRead() ? StartOutcome.LOCAL_FOR_NOW : StartOutcome.WITHOUT_SYNC);
    }
    if (!pullsNow) {
      pullIsOver();
    }
    if (pullsNow || pushesSoon) {
      return false;
    }
    pushIsOver();
    return true;
  }

  private void release(List<Runnable> waiters) {
    List<Runnable> now = List.copyOf(waiters);
    waiters.clear();
    now.forEach(session::tell);
  }
}
