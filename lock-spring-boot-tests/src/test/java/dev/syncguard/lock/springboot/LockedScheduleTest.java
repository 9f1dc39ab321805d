package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** A scheduled method runs once in the cluster: not while it runs elsewhere, not too soon, but again after a crash. */
class LockedScheduleTest {

  static class Job {
    final AtomicInteger runs = new AtomicInteger();

    @LockedSchedule(name = "${job.name}", atLeast = "1m", atMost = "10m")
    public void run() {
      runs.incrementAndGet();
    }

    public int runs() {
      return runs.get();
    }
  }

  /** One machine of the cluster, over a store that all of them share. */
  private static ApplicationContextRunner machine(LockBackend store, ManualTime time) {
    return new ApplicationContextRunner()
        .withConfiguration(Applications.starter())
        .withBean(LockBackend.class, () -> store)
        .withBean(LocksCustomizer.class, () -> locks -> locks.time(time))
        .withPropertyValues("job.name=nightly")
        .withBean(Job.class);
  }

  @Test
  void twoMachinesRunItOnceUntilTheLeastTimeIsOver() {
    ManualTime time = ManualTime.stopped();
    LockBackend store = new MemoryLockBackend(time);
    machine(store, time)
        .run(one -> machine(store, time).run(two -> {
          Job first = one.getBean(Job.class);
          Job second = two.getBean(Job.class);
          first.run();
          second.run();
          first.run();
          assertThat(first.runs() + second.runs())
              .as("done at once, but not again")
              .isEqualTo(1);
          time.advance(Duration.ofSeconds(62));
          second.run();
          first.run();
          assertThat(second.runs()).isEqualTo(1);
          assertThat(first.runs()).isEqualTo(1);
        }));
  }

  @Test
  void afterTheMostTimeOthersDoNotWaitForAMachineThatDied() {
    ManualTime time = ManualTime.stopped();
    LockBackend store = new MemoryLockBackend(time);
    machine(store, time).run(machine -> {
      // Somebody who began and was never heard of again.
      Locks.builder(store)
          .time(time)
          .build()
          .lock("nightly")
          .ttl(Duration.ofMinutes(10))
          .acquire();
      Job job = machine.getBean(Job.class);
      time.advance(Duration.ofMinutes(9));
      job.run();
      assertThat(job.runs()).isZero();
      time.advance(Duration.ofMinutes(2));
      job.run();
      assertThat(job.runs()).isEqualTo(1);
    });
  }

  @Configuration(proxyBeanMethods = false)
  @EnableScheduling
  static class Scheduling {}

  static class FrequentJob {
    static final AtomicInteger runs = new AtomicInteger();
    static final AtomicInteger ticks = new AtomicInteger();

    @Scheduled(fixedDelay = 5)
    @LockedSchedule(name = "frequent", atLeast = "5m", atMost = "5m")
    public void run() {
      runs.incrementAndGet();
    }

    @Scheduled(fixedDelay = 5)
    public void tick() {
      ticks.incrementAndGet();
    }
  }

  @Test
  void springsSchedulerCallsItThroughTheLock() {
    Applications.inMemory()
        .withUserConfiguration(Scheduling.class)
        .withBean(FrequentJob.class)
        .run(application -> {
          Eventually.holds(() -> FrequentJob.runs.get() == 1);
          int before = FrequentJob.ticks.get();
          Eventually.holds(() -> FrequentJob.ticks.get() > before + 20);
          assertThat(FrequentJob.runs).hasValue(1);
        });
  }
}
