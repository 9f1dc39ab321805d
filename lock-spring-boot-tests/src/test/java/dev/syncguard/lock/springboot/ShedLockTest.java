package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.springboot.shedlock.SyncGuardLockProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Code that uses ShedLock runs on our stores unchanged, with version 6 on Spring 6 and version 7 on Spring 7. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ShedLockTest {

  private static final Duration MOST = Duration.ofMinutes(10);
  private static final Duration LEAST = Duration.ofMinutes(1);

  private final ManualTime time = ManualTime.stopped();
  private final LockBackend store = new MemoryLockBackend(time);
  private final LockProvider one = process();
  private final LockProvider other = process();

  private LockProvider process() {
    return new SyncGuardLockProvider(
        Locks.builder(store).time(time).background(time.background()).build(), "shedlock:", time);
  }

  private static LockConfiguration job(Duration most, Duration least) {
    return new LockConfiguration(Instant.now(), "nightly", most, least);
  }

  @Test
  void aJobThatRunsElsewhereIsNotLocked() {
    SimpleLock lock = one.lock(job(MOST, Duration.ZERO)).orElseThrow();
    assertThat(other.lock(job(MOST, Duration.ZERO))).isEmpty();
    lock.unlock();
    assertThat(other.lock(job(MOST, Duration.ZERO))).isPresent();
  }

  @Test
  void theLeastTimeIsKeptAfterTheUnlock() {
    one.lock(job(MOST, LEAST)).orElseThrow().unlock();
    time.advance(LEAST.minusSeconds(1));
    assertThat(other.lock(job(MOST, LEAST))).isEmpty();
    time.advance(Duration.ofSeconds(3));
    assertThat(other.lock(job(MOST, LEAST))).isPresent();
  }

  @Test
  void afterTheMostTimeAnotherMayBegin() {
    SimpleLock dead = one.lock(job(MOST, Duration.ZERO)).orElseThrow();
    time.advance(MOST.plusSeconds(2));
    SimpleLock next = other.lock(job(MOST, Duration.ZERO)).orElseThrow();
    dead.unlock();
    assertThat(one.lock(job(MOST, Duration.ZERO)))
        .as("the next one is not touched")
        .isEmpty();
    next.unlock();
  }

  @Test
  void anExtensionCountsFromNow() {
    SimpleLock lock = one.lock(job(MOST, Duration.ZERO)).orElseThrow();
    time.advance(MOST.minusSeconds(1));
    SimpleLock extended = lock.extend(MOST, LEAST).orElseThrow();
    time.advance(Duration.ofSeconds(30));
    extended.unlock();
    time.advance(Duration.ofSeconds(29));
    assertThat(other.lock(job(MOST, LEAST)))
        .as("the least time of the extension")
        .isEmpty();
    time.advance(Duration.ofSeconds(3));
    assertThat(other.lock(job(MOST, LEAST))).isPresent();
  }

  @Test
  void whatIsLostCannotBeExtended() {
    SimpleLock lock = one.lock(job(MOST, Duration.ZERO)).orElseThrow();
    time.advance(MOST.plusSeconds(2));
    assertThat(lock.extend(MOST, Duration.ZERO)).isEmpty();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableScheduling
  @EnableSchedulerLock(defaultLockAtMostFor = "10m")
  static class Scheduling {}

  static class Job {
    static final AtomicInteger runs = new AtomicInteger();
    static final AtomicInteger ticks = new AtomicInteger();

    @Scheduled(fixedDelay = 5)
    @SchedulerLock(name = "nightly", lockAtLeastFor = "5m")
    public void run() {
      LockAssert.assertLocked();
      LockExtender.extendActiveLock(Duration.ofMinutes(20), Duration.ofMinutes(5));
      runs.incrementAndGet();
    }

    @Scheduled(fixedDelay = 5)
    public void tick() {
      ticks.incrementAndGet();
    }
  }

  @Test
  void annotatedMethodsRunUnchanged() {
    Applications.inMemory()
        .withUserConfiguration(Scheduling.class)
        .withBean(Job.class)
        .run(application -> {
          assertThat(application).hasNotFailed().hasSingleBean(LockProvider.class);
          Eventually.holds(() -> Job.runs.get() == 1);
          int before = Job.ticks.get();
          Eventually.holds(() -> Job.ticks.get() > before + 20);
          assertThat(Job.runs).hasValue(1);
          assertThat(application.getBean(Locks.class).isLocked("shedlock:nightly"))
              .isTrue();
        });
  }
}
