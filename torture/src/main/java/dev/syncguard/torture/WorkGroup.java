package dev.syncguard.torture;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The threads of one worker, which share its locks. Started and ended by one thread. */
final class WorkGroup {

  private static final Duration CLOSING = Duration.ofSeconds(5);

  private final Cancellation end = Cancellation.create();
  private final Task task;
  private final Locks locks;
  private final List<Thread> threads = new ArrayList<>();

  private WorkGroup(Task task, Locks locks) {
    this.task = task;
    this.locks = locks;
  }

  static WorkGroup start(Task task, LockBackend backend, Journal journal, Resource resource) {
    Locks locks = Locks.builder(backend)
        .disposeTimeout(CLOSING)
        // A release that fails is expected here, and told in the history.
        .onReleaseError((error, failure) -> {})
        .build();
    WorkGroup group = new WorkGroup(task, locks);
    for (int i = 0; i < task.threads(); i++) {
      Worker worker =
          new Worker(task, i, backend, locks, journal, resource, group.end, group.end::isCancelled);
      Thread thread = new Thread(worker, "torture-worker-" + task.worker() + "-" + i);
      thread.setDaemon(true);
      thread.start();
      group.threads.add(thread);
    }
    return group;
  }

  /** Lets the threads end sometime; what they hold stays locked as far as they can tell. */
  void abandon() {
    end.cancel();
  }

  /**
   * Ends all work as a program does that ends in peace: nothing stays locked, unless it leaves its locks. Returns false if a thread is still at work: closing
   * its locks would give its leases back without a word in the history, so they are left to run out.
   */
  boolean end() {
    end.cancel();
    long deadline = System.nanoTime() + CLOSING.toNanos();
    for (Thread thread : threads) {
      try {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        thread.join(Math.max(1, left));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (threads.stream().anyMatch(Thread::isAlive)) {
      return false;
    }
    if (!task.leavesItsLocks()) {
      locks.close();
    }
    return true;
  }
}
