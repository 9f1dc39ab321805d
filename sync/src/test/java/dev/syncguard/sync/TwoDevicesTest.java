package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TwoDevicesTest {

  @Test
  void aMarkTravelsAndAResetTakesItBack() {
    World world = new World();
    World.Tab one = world.device().started();
    assertThat(one.outcomes).containsExactly(StartOutcome.HYDRATED);
    one.read("abc");
    world.passSeconds(9);
    World.Tab two = world.device().started();
    assertThat(two.sync.reader().read()).containsExactly("abc");
    assertThat(two.label()).startsWith("Sync: OK");
    two.read("def");
    world.passSeconds(9);
    world.passMinutes(12);
    one.sync.userActive();
    world.passSeconds(2);
    assertThat(one.sync.reader().read()).containsExactlyInAnyOrder("abc", "def");
    one.reset();
    world.passSeconds(2);
    assertThat(one.resets).containsExactly(ResetOutcome.EVERYWHERE);
    two.sync.userActive();
    world.passMinutes(12);
    two.sync.userActive();
    world.passSeconds(2);
    assertThat(two.sync.reader().read()).isEmpty();
  }
}
