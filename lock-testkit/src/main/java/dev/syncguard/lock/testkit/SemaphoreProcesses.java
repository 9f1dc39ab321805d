package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Semaphore;
import dev.syncguard.lock.spi.LockBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Processes that wait for the permits of one semaphore, each of its own accord. */
public final class SemaphoreProcesses {

  private static final int PERMITS = 2;
  private static final int WAITING = 4;
  private static final int KILLED = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private SemaphoreProcesses() {}

  private static Semaphore permits(Locks locks) {
    return locks.semaphore("downloads", PERMITS).ttl(PATIENCE).waitUpTo(PATIENCE);
  }

  /** The life of one that waits, to be called by the main class of a process: waits when it is told, ends when told again. */
  public static void live(LockBackend backend) throws IOException {
    try (Locks locks = Locks.over(backend)) {
      System.out.println("ready");
      int told = System.in.read();
      Lease lease = permits(locks).acquire();
      System.out.println(lease.key().value() + " " + lease.fence().value());
      if (told >= 0 && System.in.read() >= 0) {
        lease.close();
      }
    }
  }

  /**
   * Lets several processes wait one after the other while all permits are taken, kills one of them, gives back permits one
   * by one, and asserts that the others get them in the order in which they came, each with a higher fence.
   */
  public static void assertServedInTheOrderOfArrival(
      LockBackend backend, Supplier<ChildJvm> process) throws Exception {
    List<ChildJvm> processes = new ArrayList<>();
    try (Locks locks = Locks.over(backend)) {
      List<Lease> held = List.of(permits(locks).acquire(), permits(locks).acquire());
      for (int i = 0; i < WAITING; i++) {
        processes.add(process.get());
      }
      for (int i = 0; i < WAITING; i++) {
        processes.get(i).awaitReady();
        processes.get(i).tell();
        // The first holds the turn, the others stand in line for it.
        awaitLine(locks, i);
      }
      processes.get(KILLED).kill();
      BlockingQueue<String> served = listenTo(processes);
      for (int i = 0; i < PERMITS; i++) {
        Lease given = held.get(i);
        given.close();
        assertThat(served.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            .isEqualTo(i + " " + given.key().value() + " " + (given.fence().value() + 1));
      }
      assertThat(served).isEmpty();
      processes.get(0).tell();
      assertThat(served.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .isEqualTo(KILLED + 1 + " " + held.get(0).key().value() + " "
              + (held.get(0).fence().value() + 2));
      assertThat(served).isEmpty();
    } finally {
      processes.forEach(ChildJvm::close);
    }
  }

  private static void awaitLine(Locks locks, int behindTheFirst) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (locks
        .getByKey("downloads#next")
        .filter(turn -> turn.waiting().orElse(0) == behindTheFirst)
        .isEmpty()) {
      assertThat(System.nanoTime()).as("stands in line by now").isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }

  /** Returns where each process says, with its number, what it got. */
  private static BlockingQueue<String> listenTo(List<ChildJvm> processes) {
    BlockingQueue<String> said = new LinkedBlockingQueue<>();
    for (int i = 0; i < processes.size(); i++) {
      int number = i;
      if (number == KILLED) {
        continue;
      }
      Thread listener =
          new Thread(() -> said.add(number + " " + processes.get(number).nextLine()));
      listener.setDaemon(true);
      listener.start();
    }
    return said;
  }
}
