package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several tabs of one device, and switching sync off and on. */
@NullUnmarked
class TabsTest {

  private static final String PUSH_KEY = "pr-sync-last-push-at-lw-user123";

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  @Test
  @Tag("PR-PERSIST-75")
  @Tag("T124")
  void aTabWaitsForTheEndOfTheFloorAfterAnotherTabsPush() {
    World.Tab one = device.started();
    World.Tab two = device.started();
    one.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    two.sync.reader().setAuthorPreference("Bob", 1);
    two.sync.flush(() -> {});
    world.passSeconds(3);
    assertThat(firestore.commitTimes).hasSize(1);
    world.passSeconds(2);
    assertThat(firestore.commitTimes).hasSizeGreaterThanOrEqualTo(2);
    assertThat(firestore.commitTimes.get(1) - firestore.commitTimes.get(0))
        .isGreaterThanOrEqualTo(5_000);
    assertThat(Long.parseLong(device.shared.get(PUSH_KEY)))
        .isBetween(world.trueMillis() - 20_000, world.trueMillis());
    assertThat(firestore.stored(world.forum.node()).fields().authorPrefs().value())
        .containsOnlyKeys("Ann", "Bob");
  }

  @Test
  @Tag("PR-PERSIST-75")
  @Tag("T124")
  void aTimeFromTheFutureOrAStoreThatFailsIsIgnored() {
    World.Tab tab = device.started();
    device.shared.put(PUSH_KEY, Long.toString(world.trueMillis() + 3_600_000));
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    assertThat(firestore.commits()).hasSize(1);
    device.sharedIsBroken = true;
    tab.sync.reader().setAuthorPreference("Bob", 1);
    world.passSeconds(9);
    assertThat(firestore.commits()).hasSize(2);
    device.sharedIsBroken = false;
    device.shared.put(PUSH_KEY, "rubbish");
    tab.sync.reader().setAuthorPreference("Cid", 1);
    world.passSeconds(9);
    assertThat(firestore.commits()).hasSize(3);
  }

  @Test
  @Tag("PR-PERSIST-72")
  void aChangeInAnotherTabDuringThePushStaysDue() {
    World.Tab one = device.started();
    World.Tab two = device.started();
    firestore.nextCommit(firestore.delay(2_000));
    one.read("one");
    world.passSeconds(9);
    two.read("two");
    world.passSeconds(2);
    assertThat(device.dirty(SyncedField.READ)).isTrue();
    world.passMinutes(1);
    assertThat(firestore.stored(world.forum.node()).fields().read().value())
        .containsExactlyInAnyOrder("one", "two");
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-72")
  void aTabLooksAfterWhatAClosedTabHadNotPushed() {
    World.Tab one = device.started();
    World.Tab two = device.started();
    two.sync.reader().setAuthorPreference("Ann", 1);
    two.close();
    world.passSeconds(25);
    assertThat(firestore.commits()).isEmpty();
    world.passSeconds(10);
    assertThat(firestore.commits()).hasSize(1);
    assertThat(one.applied).contains(SyncedField.AUTHOR_PREFS);
  }

  @Test
  @Tag("PR-PERSIST-17")
  @Tag("T40")
  @Tag("T49")
  void switchedOffNothingMovesAndNothingIsForgotten() {
    World.Tab tab = device.started();
    tab.read("abc");
    tab.sync.setEnabled(false);
    assertThat(tab.label()).isEqualTo("Sync: off");
    assertThat(device.values.get("power-reader-sync-enabled")).isEqualTo("false");
    firestore.requests.clear();
    tab.read("def");
    tab.sync.pageFocused();
    world.passMinutes(60);
    assertThat(firestore.requests).isEmpty();
    assertThat(device.dirty(SyncedField.READ)).isTrue();
    tab.sync.userActive();
    tab.sync.setEnabled(true);
    world.passSeconds(2);
    assertThat(firestore.requests.get(0).method()).as("first a pull").isEqualTo(Http.Method.GET);
    assertThat(firestore.stored(world.forum.node()).fields().read().value())
        .containsExactlyInAnyOrder("abc", "def");
    assertThat(tab.label()).startsWith("Sync: OK");
  }

  @Test
  @Tag("PR-PERSIST-17")
  @Tag("T40")
  void whatWasUnderWayWhenSyncWasSwitchedOffHasNoEffect() {
    firestore.plant(world.forum.node(), Fixtures.none());
    World.Tab tab = device.started();
    firestore.nextCommit(firestore.delay(2_000));
    tab.read("abc");
    world.passSeconds(9);
    tab.sync.setEnabled(false);
    world.passSeconds(5);
    assertThat(device.dirty(SyncedField.READ))
        .as("landed, but not confirmed to us")
        .isTrue();
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    tab.sync.setEnabled(true);
    tab.sync.setEnabled(false);
    world.passSeconds(5);
    assertThat(tab.sync.reader().read()).containsExactly("abc");
    tab.sync.setEnabled(true);
    world.passSeconds(60);
    assertThat(device.meta().dirty()).isFalse();
    assertThat(firestore.mostInFlightCommits).isEqualTo(1);
  }

  @Test
  @Tag("PR-PERSIST-17")
  void onlyAnExplicitNoSwitchesOff() {
    for (String off : new String[] {"false", "\"false\"", "0"}) {
      device.values.put("power-reader-sync-enabled", off);
      assertThat(device.tab().sync.isEnabled()).as(off).isFalse();
    }
    for (String on : new String[] {"true", "", "1", "null", "no"}) {
      device.values.put("power-reader-sync-enabled", on);
      assertThat(device.tab().sync.isEnabled()).as(on).isTrue();
    }
    device.values.remove("power-reader-sync-enabled");
    assertThat(device.tab().sync.isEnabled()).isTrue();
  }

  @Test
  @Tag("PR-PERSIST-17")
  void aTabFollowsTheSwitchOfAnother() {
    World.Tab one = device.started();
    World.Tab two = device.started();
    one.sync.setEnabled(false);
    assertThat(two.label()).isEqualTo("Sync: off");
    one.sync.setEnabled(true);
    world.passSeconds(1);
    assertThat(two.label()).startsWith("Sync: OK");
  }

  @Test
  @Tag("PR-PERSIST-17")
  void aSessionThatBeganSwitchedOffCanBeSwitchedOn() {
    device.values.put("power-reader-sync-enabled", "false");
    World.Tab tab = device.started();
    assertThat(tab.outcomes).containsExactly(StartOutcome.WITHOUT_SYNC);
    assertThat(world.forum.queries).isZero();
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    tab.sync.setEnabled(true);
    world.passSeconds(1);
    assertThat(tab.sync.reader().read()).containsExactly("theirs");
  }

  @Test
  void whoWaitsForAPullOrAPushIsTold() {
    World.Tab tab = device.started();
    int[] told = {0, 0};
    tab.sync.pull(() -> told[0]++);
    tab.sync.flush(() -> told[1]++);
    world.passSeconds(1);
    assertThat(told).as("nothing to push").containsExactly(1, 1);
    tab.read("abc");
    tab.sync.flush(() -> told[1]++);
    assertThat(told[1]).isEqualTo(1);
    world.pass(100);
    assertThat(told[1]).isEqualTo(2);
    assertThat(firestore.commits()).as("without the wait for more changes").hasSize(1);
    tab.read("def");
    tab.sync.flush(() -> told[1]++);
    world.passSeconds(6);
    assertThat(firestore.commits()).as("after the floor").hasSize(2);
    assertThat(told[1]).isEqualTo(3);
    firestore.always = firestore.error(429, "RESOURCE_EXHAUSTED");
    tab.sync.pull(() -> told[0]++);
    world.passSeconds(1);
    tab.sync.pull(() -> told[0]++);
    tab.sync.flush(() -> told[1]++);
    assertThat(told).as("not for hours").containsExactly(3, 4);
    tab.sync.pull(() -> {
      throw new IllegalStateException("the page's own problem");
    });
    assertThat(tab.log).contains("A callback failed: IllegalStateException");
  }
}
