package dev.syncguard.sync.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the world of the simulation must not demand. */
class SimulatedWorldTest {

  @Test
  void refusalsAreCountedAnewWhenTheQuotaRunsOutAnotherTime() {
    Pace pace = new Pace();
    pace.refused(1, 0, 1);
    pace.refused(2, 0, 1);
    assertThat(pace.refusals).isEqualTo(2);
    pace.refused(3, 0, 2);
    assertThat(pace.refusals).isEqualTo(1);
  }
}
