package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StopPlanTest {

  @ParameterizedTest
  @CsvSource({"PT1S, PT10S", "PT4S, PT0S", "PT30S, PT10S", "PT1H, PT10S", "PT30S, PT1H"})
  void leavesRoomForARenewalBeforeAndForTheKillAfter(Duration ttl, Duration killAfter) {
    StopPlan plan = StopPlan.of(ttl, killAfter);
    Duration renewalIsDue = ttl.multipliedBy(2).dividedBy(3);

    assertThat(plan.grace()).isLessThanOrEqualTo(killAfter);
    assertThat(plan.isDue(renewalIsDue))
        .as("stops before a renewal was even tried")
        .isFalse();
    assertThat(plan.isDue(renewalIsDue.minus(ttl.dividedBy(5))))
        .as("leaves no time to retry")
        .isFalse();
    assertThat(plan.isDue(plan.grace())).as("would kill after the end").isTrue();
    assertThat(plan.isDue(plan.grace().plus(plan.margin()))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"PT1S, PT10S", "PT30S, PT10S", "PT1H, PT5S"})
  void letsTheWardenActOnlyAfterWeShouldHave(Duration ttl, Duration killAfter) {
    StopPlan plan = StopPlan.of(ttl, killAfter);
    Duration justBeforeDue =
        plan.grace().plus(plan.margin()).plus(plan.margin()).plusNanos(1);

    assertThat(plan.isDue(justBeforeDue)).isFalse();
    assertThat(plan.patience(justBeforeDue)).isGreaterThan(plan.pace().multipliedBy(3));
    assertThat(plan.patience(justBeforeDue)).isLessThan(justBeforeDue.minus(plan.grace()));
  }
}
