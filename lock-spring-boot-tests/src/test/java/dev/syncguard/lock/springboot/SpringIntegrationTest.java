package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.springboot.integration.SyncGuardLockRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.aggregator.AggregatingMessageHandler;
import org.springframework.integration.aggregator.DefaultAggregatingMessageGroupProcessor;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.store.MessageGroupStore;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.util.ClassUtils;

/** Code that uses the lock registries of Spring Integration runs on ours unchanged, in versions 6.5 and 7. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@SuppressWarnings("LockNotBeforeTry") // A test that fails need not unlock.
class SpringIntegrationTest {

  private static final String DISTRIBUTED_LOCK =
      "org.springframework.integration.support.locks.DistributedLock";

  private final LockBackend store = new MemoryLockBackend();

  @TempDir
  Path directory;

  /** Returns a process of its own on the common store. */
  private SyncGuardLockRegistry process() {
    return new SyncGuardLockRegistry(
        new LeaseLocks(Locks.over(store), Duration.ofSeconds(30), Duration.ofHours(1)), "test:");
  }

  @Test
  void anApplicationWithSpringIntegrationHasARegistry() {
    Applications.inMemory().run(application -> {
      LockRegistry registry = application.getBean(LockRegistry.class);
      Lock lock = registry.obtain("orders");
      lock.lock();
      assertThat(application.getBean(Locks.class).isLocked("lock-registry:orders"))
          .isTrue();
      lock.unlock();
      assertThat(application.getBean(Locks.class).isLocked("lock-registry:orders"))
          .isFalse();
      assertThat(registry)
          .isInstanceOf(ExpirableLockRegistry.class)
          .isInstanceOf(RenewableLockRegistry.class);
    });
  }

  @Test
  void aRegistryOfTheApplicationWins() {
    new ApplicationContextRunner()
        .withConfiguration(Applications.starter())
        .withPropertyValues("syncguard.store=memory")
        .withBean(
            LockRegistry.class,
            org.springframework.integration.support.locks.DefaultLockRegistry::new)
        .run(application -> assertThat(application)
            .hasSingleBean(LockRegistry.class)
            .doesNotHaveBean(SyncGuardLockRegistry.class));
  }

  @Test
  void onVersion7ItsLocksAreDistributedLocksWithATimeToLive() throws Exception {
    Lock lock = process().obtain("orders");
    boolean version7 = ClassUtils.isPresent(DISTRIBUTED_LOCK, null);
    assertThat(version7).isEqualTo(!Applications.boot3());
    if (version7) {
      Class<?> type = ClassUtils.resolveClassName(DISTRIBUTED_LOCK, null);
      assertThat(lock).isInstanceOf(type);
      assertThat(type.getMethod("tryLock", Duration.class, Duration.class)
              .invoke(lock, Duration.ZERO, Duration.ofMinutes(1)))
          .isEqualTo(true);
      process().expireUnusedOlderThan(0);
      assertThat(process().obtain("orders").tryLock()).isFalse();
      lock.unlock();
      type.getMethod("lock", Duration.class).invoke(lock, Duration.ofMinutes(1));
      lock.unlock();
    }
  }

  @Test
  void aRenewalNeedsTheLock() {
    SyncGuardLockRegistry registry = process();
    registry.obtain("orders").lock();
    registry.renewLock("orders");
    registry.obtain("orders").unlock();
    assertThatThrownBy(() -> registry.renewLock("orders"))
        .isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void anyObjectIsAKeyHoweverLong() {
    for (Object key : List.of(42, "/a/very/long/path/".repeat(100), "\u0000", Path.of("x"))) {
      Lock one = process().obtain(key);
      Lock other = process().obtain(key);
      assertThat(one.tryLock()).isTrue();
      assertThat(other.tryLock()).isFalse();
      one.unlock();
      assertThat(other.tryLock()).isTrue();
      other.unlock();
    }
  }

  @Test
  void twoAggregatorsOfOneGroupReleaseItOnce() {
    try (var application = new AnnotationConfigApplicationContext(Integrating.class)) {
      aggregate(application.getBeanFactory());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableIntegration
  static class Integrating {}

  private void aggregate(BeanFactory beans) {
    MessageGroupStore groups = new SimpleMessageStore();
    QueueChannel output = new QueueChannel();
    List<AggregatingMessageHandler> processes =
        List.of(aggregator(beans, groups, output), aggregator(beans, groups, output));
    List<CompletableFuture<Void>> sending = new ArrayList<>();
    for (int number = 1; number <= 8; number++) {
      AggregatingMessageHandler handler = processes.get(number % 2);
      var message = MessageBuilder.withPayload("part " + number)
          .setCorrelationId("order")
          .setSequenceNumber(number)
          .setSequenceSize(8)
          .build();
      sending.add(CompletableFuture.runAsync(() -> handler.handleMessage(message)));
    }
    sending.forEach(CompletableFuture::join);
    assertThat(output.getQueueSize()).isEqualTo(1);
    assertThat(output.receive(0))
        .isNotNull()
        .satisfies(message -> assertThat((List<?>) message.getPayload()).hasSize(8));
  }

  private AggregatingMessageHandler aggregator(
      BeanFactory beans, MessageGroupStore groups, QueueChannel output) {
    AggregatingMessageHandler handler =
        new AggregatingMessageHandler(new DefaultAggregatingMessageGroupProcessor(), groups);
    handler.setLockRegistry(process());
    handler.setOutputChannel(output);
    handler.setExpireGroupsUponCompletion(true);
    handler.setBeanFactory(beans);
    handler.afterPropertiesSet();
    handler.start();
    return handler;
  }

  @Test
  void oneOfTwoIsLeaderAndTheOtherFollows() throws Exception {
    LockRegistryLeaderInitiator one = candidate();
    LockRegistryLeaderInitiator two = candidate();
    try {
      one.start();
      Eventually.holds(() -> one.getContext().isLeader());
      two.start();
      for (int i = 0; i < 20; i++) {
        assertThat(one.getContext().isLeader() && two.getContext().isLeader()).isFalse();
        Thread.onSpinWait();
      }
      one.stop();
      Eventually.holds(() -> two.getContext().isLeader());
      assertThat(one.getContext().isLeader()).isFalse();
    } finally {
      one.destroy();
      two.destroy();
    }
  }

  private LockRegistryLeaderInitiator candidate() {
    LockRegistryLeaderInitiator initiator =
        new LockRegistryLeaderInitiator(process(), new DefaultCandidate());
    initiator.setHeartBeatMillis(20);
    initiator.setBusyWaitMillis(20);
    return initiator;
  }

  @Test
  void aFileThatManyWriteToIsWrittenByOneAtATime() throws Exception {
    Path file = Files.writeString(directory.resolve("counter"), "0");
    List<CompletableFuture<Void>> writing = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      LockRegistry registry = process();
      writing.add(CompletableFuture.runAsync(() -> {
        try {
          for (int n = 0; n < 5; n++) {
            registry.executeLocked(file.toAbsolutePath(), () -> {
              int count = Integer.parseInt(Files.readString(file));
              Files.writeString(file, "" + (count + 1), StandardOpenOption.TRUNCATE_EXISTING);
            });
          }
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      }));
    }
    writing.forEach(CompletableFuture::join);
    assertThat(Files.readString(file)).isEqualTo("20");
  }
}
