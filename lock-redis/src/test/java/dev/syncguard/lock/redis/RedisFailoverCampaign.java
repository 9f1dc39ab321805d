package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.FailoverRun;
import dev.syncguard.torture.history.Violation;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The failovers that take too long for every build; {@code torture/campaign} runs them. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RedisFailoverCampaign {

  private static RedisLockBackend.Builder careful(String url) {
    return RedisLockBackend.builder(url).minReplicasAcked(1, Duration.ofSeconds(1));
  }

  private static void assertNoFenceIsRepeated(FailoverRun run) {
    assertThat(run.fenceViolations()).as(run.toString()).isEmpty();
    assertThat(run.grantsAfterwards()).as(run.toString()).isPositive();
  }

  @RepeatedTest(3)
  void sentinelWithConfirmingReplicas() throws Exception {
    try (SentinelSetup setup = SentinelSetup.start()) {
      assertNoFenceIsRepeated(
          FailoverRun.of(() -> careful(setup.url()).build(), setup::killPrimary));
    }
  }

  /** One confirmation is not enough: for a moment the old primary still has the replica that was not promoted. */
  @RepeatedTest(3)
  void sentinelWithAPrimaryThatHangsAndComesBackIfAllReplicasConfirm() throws Exception {
    try (SentinelSetup setup = SentinelSetup.start()) {
      assertNoFenceIsRepeated(FailoverRun.of(
          () -> RedisLockBackend.builder(setup.url())
              .minReplicasAcked(2, Duration.ofSeconds(1))
              .build(),
          setup::suspendPrimary));
    }
  }

  /** What is lost here is told by its output; nothing is promised. */
  @RepeatedTest(3)
  void sentinelWithoutConfirmation() throws Exception {
    try (SentinelSetup setup = SentinelSetup.start()) {
      FailoverRun run =
          FailoverRun.of(() -> RedisLockBackend.connect(setup.url()), setup::killPrimary);
      assertThat(run.grantsAfterwards()).as(run.toString()).isPositive();
    }
  }

  /** Half of the workers stay with the primary that is cut off, as programs do that run beside it. */
  private static Supplier<LockBackend> bothSides(
      SentinelSetup setup, UnaryOperator<RedisLockBackend.Builder> settings) {
    AtomicInteger opened = new AtomicInteger();
    return () -> settings
        .apply(RedisLockBackend.builder(
            opened.getAndIncrement() % 2 == 0 ? setup.url() : setup.firstPrimaryUrl()))
        .build();
  }

  /** No fence is granted twice, and no two are sure of themselves at a time: the old primary can neither grant nor extend. */
  @RepeatedTest(3)
  void sentinelWithAPrimaryThatIsCutOffIfReplicasConfirm() throws Exception {
    try (SentinelSetup setup = SentinelSetup.start()) {
      FailoverRun run = FailoverRun.of(
          bothSides(setup, store -> store.minReplicasAcked(1, Duration.ofSeconds(1))),
          () -> setup.partition(Duration.ofSeconds(5)));
      assertNoFenceIsRepeated(run);
      assertThat(run.violations())
          .as(run.toString())
          .extracting(Violation::kind)
          .doesNotContain(Violation.Kind.OVERLAP);
    }
  }

  /** Both sides grant: what torture must find, and what confirmations are for. */
  @Test
  void sentinelWithAPrimaryThatIsCutOffWithoutConfirmation() throws Exception {
    try (SentinelSetup setup = SentinelSetup.start()) {
      FailoverRun run = FailoverRun.of(
          bothSides(setup, store -> store), () -> setup.partition(Duration.ofSeconds(5)));
      assertThat(run.fenceViolations()).as(run.toString()).isNotEmpty();
    }
  }

  private static LockBackend cluster(ClusterSetup setup, int confirming) {
    RedisLockBackend.Builder builder =
        RedisLockBackend.builder(setup.url()).keyPrefix(ClusterSetup.PREFIX);
    return (confirming == 0 ? builder : builder.minReplicasAcked(confirming, Duration.ofSeconds(1)))
        .build();
  }

  @RepeatedTest(2)
  void clusterWithoutConfirmation() throws Exception {
    try (ClusterSetup setup = ClusterSetup.start(1)) {
      FailoverRun run = FailoverRun.of(() -> cluster(setup, 0), setup::killOwner);
      assertThat(run.grantsAfterwards()).as(run.toString()).isPositive();
    }
  }

  /** With one replica for each primary, nobody is left who could confirm to the new one until the old one is back. */
  @RepeatedTest(3)
  void clusterWithTheOnlyReplicaConfirming() throws Exception {
    try (ClusterSetup setup = ClusterSetup.start(1)) {
      assertNoFenceIsRepeated(
          FailoverRun.of(() -> cluster(setup, 1), setup::killOwnerAndBringItBack));
    }
  }

  @RepeatedTest(3)
  void clusterWithOneOfTwoReplicasConfirming() throws Exception {
    try (ClusterSetup setup = ClusterSetup.start(2)) {
      assertNoFenceIsRepeated(FailoverRun.of(() -> cluster(setup, 1), setup::killOwner));
    }
  }

  @RepeatedTest(3)
  void clusterWithAPrimaryThatHangsAndComesBackIfAllReplicasConfirm() throws Exception {
    try (ClusterSetup setup = ClusterSetup.start(2)) {
      assertNoFenceIsRepeated(FailoverRun.of(() -> cluster(setup, 2), setup::suspendOwner));
    }
  }

  @RepeatedTest(2)
  void clusterThatMovesTheSlotsOfTheLocks() throws Exception {
    try (ClusterSetup setup = ClusterSetup.start(1);
        LockBackend backend = cluster(setup, 1);
        Locks locks = Locks.over(backend)) {
      Lease held = locks.lock("held-meanwhile").ttl(Duration.ofMinutes(5)).acquire();
      assertNoFenceIsRepeated(FailoverRun.of(() -> cluster(setup, 1), setup::moveSlots));
      assertThat(locks.lock("held-meanwhile").tryAcquire()).isEmpty();
      held.extend(Duration.ofMinutes(5));
      assertThat(held.release()).isTrue();
      try (Lease next = locks.lock("held-meanwhile").acquire()) {
        assertThat(next.fence()).isGreaterThan(held.fence());
      }
    }
  }
}
