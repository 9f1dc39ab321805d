package dev.syncguard.sync.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.Site;
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

  @Test
  void theSwitchOfOneForumEndsNothingOfTheOther() {
    String own = Site.LESSWRONG.keyPrefix() + "power-reader-sync-enabled";
    String other = Site.EA_FORUM.keyPrefix() + "power-reader-sync-enabled";
    assertThat(Tab.isSwitch(Site.LESSWRONG, own)).isTrue();
    assertThat(Tab.isSwitch(Site.LESSWRONG, other)).isFalse();
    assertThat(Tab.isSwitch(Site.EA_FORUM, own)).isFalse();
  }
}
