package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.FailoverRun;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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

  private static LockBackend cluster(ClusterSetup setup) {
    return careful(setup.url()).keyPrefix(ClusterSetup.PREFIX).build();
  }

  @RepeatedTest(2)
  void clusterWithoutConfirmation() throws Exception {
    try (ClusterSetup setup = ClusterSetup.start()) {
      // With one replica for each primary, nobody is left who could confirm to the new primary.
      FailoverRun run = FailoverRun.of(
          () -> RedisLockBackend.builder(setup.url())
              .keyPrefix(ClusterSetup.PREFIX)
              .build(),
          setup::killOwner);
      assertThat(run.grantsAfterwards()).as(run.toString()).isPositive();
    }
  }

  @Test
  void clusterThatMovesTheSlotsOfTheLocks() throws Exception {
    try (ClusterSetup setup = ClusterSetup.start()) {
      assertNoFenceIsRepeated(FailoverRun.of(() -> cluster(setup), setup::moveSlots));
    }
  }
}
