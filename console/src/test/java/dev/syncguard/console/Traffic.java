package dev.syncguard.console;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LeaseGroup;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Programs that take locks, wait for one another and tell the console about it. */
final class Traffic implements AutoCloseable {

  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  static Traffic begin(Desk desk, ConsoleServer server) {
    Traffic traffic = desk.closing(new Traffic());
    for (String name : List.of("billing", "search", "mailer", "reports")) {
      ConsoleTelemetry telemetry =
          desk.closing(ConsoleTelemetry.to(server.telemetryAddress(), name));
      LockBackend told = Telemetry.to(telemetry).over(desk.store);
      Locks locks = desk.closing(Locks.over(told));
      traffic.threads.add(new Thread(() -> traffic.work(locks, name)));
    }
    Locks patient = desk.closing(Locks.over(
        Telemetry.to(desk.closing(ConsoleTelemetry.to(server.telemetryAddress(), "migration")))
            .over(desk.store)));
    traffic.threads.add(new Thread(() -> traffic.holdOn(patient)));
    traffic.threads.forEach(Thread::start);
    return traffic;
  }

  private void work(Locks locks, String name) {
    int round = 0;
    while (!ended) {
      round++;
      try (LeaseGroup held = locks
          .lockAll(List.of("account:" + round % 5, "stock:" + name.length() % 3))
          .ttl(Duration.ofSeconds(30))
          .waitUpTo(Duration.ofSeconds(20))
          .acquire()) {
        pause(30 + 40L * (round % 7));
      } catch (LockException e) {
        if (!ended) {
          pause(50);
        }
      }
    }
  }

  private void holdOn(Locks locks) {
    while (!ended) {
      try (Lease lease = locks
          .lock("account:3")
          .ttl(Duration.ofSeconds(60))
          .waitUpTo(Duration.ofSeconds(20))
          .acquire()) {
        pause(4000);
      } catch (LockException e) {
        pause(50);
      }
    }
  }

  private void pause(long millis) {
    for (long i = 0; i < millis && !ended; i += 10) {
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        ended = true;
      }
    }
  }

  boolean isRunning() {
    return threads.stream().allMatch(Thread::isAlive);
  }

  @Override
  public void close() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join(30_000);
    }
  }
}
