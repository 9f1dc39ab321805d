package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tabs that hear of each other's values late, as in userscript managers, do not lose each other's writes. */
class LateValuesTest {

  private static final long LATE = 400;

  private final World world = new World();
  private final World.Device device = world.device();

  @BeforeEach
  void isLate() {
    world.rolling = true;
    device.lateness = LATE;
  }

  @Test
  void whatTwoTabsMarkAtTheSameMomentIsKeptByBoth() {
    World.Tab one = device.started();
    World.Tab two = device.started();
    world.passSeconds(20);

    one.read("one");
    world.pass(LATE / 2);
    two.read("two");
    world.passSeconds(6);
    assertThat(one.sync.reader().read()).containsExactlyInAnyOrder("one", "two");
    assertThat(two.sync.reader().read()).containsExactlyInAnyOrder("one", "two");

    world.passMinutes(2);
    assertThat(world.stored().read().value()).containsExactlyInAnyOrder("one", "two");
    assertThat(device.dirty(SyncedField.READ)).isFalse();
  }

  @Test
  void preferencesThatTwoTabsSayAtTheSameMomentAreBothPushed() {
    World.Tab one = device.started();
    World.Tab two = device.started();
    world.passSeconds(20);

    one.sync.reader().setAuthorPreference("ada", 1);
    two.sync.reader().setAuthorPreference("bob", -1);
    two.sync.reader().setLoadFrom("2026-02-01T00:00:00.000Z");
    world.passMinutes(2);

    assertThat(world.stored().authorPrefs().value()).containsOnlyKeys("ada", "bob");
    assertThat(world.stored().loadFrom().value()).isEqualTo("2026-02-01T00:00:00.000Z");
  }

  private static void sayTwoThingsAndOne(World.Tab one, World.Tab two) {
    one.sync.reader().setAuthorPreference("ada", 1);
    one.sync.reader().setAuthorPreference("ada", -1);
    two.sync.reader().setAuthorPreference("bob", 1);
  }

  @Test
  void ofTwoThingsThatATabSaysOfAnAuthorTheLastIsSaidAgain() {
    World.Tab one = device.started();
    World.Tab two = device.started();
    world.passSeconds(20);

    sayTwoThingsAndOne(one, two);
    world.passMinutes(2);

    assertThat(world.stored().authorPrefs().value())
        .hasEntrySatisfying("ada", said -> assertThat(said.v()).isEqualTo(-1));
    assertThat(one.sync.reader().authorPreferences()).isEqualTo(Map.of("ada", -1, "bob", 1));
    assertThat(two.sync.reader().authorPreferences()).isEqualTo(Map.of("ada", -1, "bob", 1));
  }

  @Test
  void theLastThingSaidOfAnAuthorIsSaidAgainWhereAnotherTabHasSeenNoneOfThem() {
    World.Tab one = device.started();
    World.Tab two = device.started();
    world.passSeconds(20);

    sayTwoThingsAndOne(one, two);
    // Only the first tab is left to notice.
    two.close();
    world.passMinutes(2);

    assertThat(one.sync.reader().authorPreferences()).isEqualTo(Map.of("ada", -1, "bob", 1));
    assertThat(world.stored().authorPrefs().value())
        .hasEntrySatisfying("ada", said -> assertThat(said.v()).isEqualTo(-1));
  }

  @Test
  void whatAnImportDroppedIsNotSaidAgain() {
    World.Tab one = device.started();
    World.Tab two = device.started();
    world.passSeconds(20);

    one.sync.reader().setAuthorPreference("ada", 1);
    one.sync.reader().setAuthorPreference("ada", 0);
    world.passSeconds(1);
    two.sync.flush(() -> {});
    world.passSeconds(2);
    one.sync.importState("{\"authorPrefs\":{\"carl\":1}}");
    world.passSeconds(2);
    two.read("something");
    world.passSeconds(6);

    assertThat(one.sync.reader().authorPreferences()).isEqualTo(Map.of("carl", 1));
    assertThat(two.sync.reader().authorPreferences()).isEqualTo(Map.of("carl", 1));
  }

  @Test
  void aPushThatEndsWhileAnotherTabMarksDoesNotTakeTheMarkForPushed() {
    World.Tab pushing = device.started();
    World.Tab marking = device.started();
    world.passSeconds(20);
    pushing.read("first");
    world.passSeconds(4);
    int commits = world.firestore.commits().size();
    pushing.sync.flush(() -> {});
    while (world.firestore.commits().size() == commits) {
      world.pass(1);
    }
    // The answer is on its way; its confirmation and the mark cross each other.
    marking.read("second");
    world.passMinutes(3);

    assertThat(world.stored().read().value()).containsExactlyInAnyOrder("first", "second");
  }

  @Test
  void tabsThatAreTheFirstOnADeviceTogetherAgreeOnOneDevice() {
    World.Tab one = device.tab();
    World.Tab two = device.tab();
    one.start();
    two.start();
    one.read("one");
    two.read("two");
    world.passMinutes(3);

    assertThat(device.meta()).isNotNull();
    assertThat(world.stored().read().value()).containsExactlyInAnyOrder("one", "two");
    assertThat(device.meta().owner().userId()).isNotNull();
  }

  @Test
  void whatAFirstTabKnowsStaysKnownWhenTheDeviceGetsTheIdOfAnother() {
    World.Tab gone = device.tab();
    gone.close();
    World.Tab staying = device.tab();
    staying.start();
    staying.read("one");
    world.passMinutes(3);

    assertThat(device.values.get("power-reader-sync-meta"))
        .contains(device.values.get("power-reader-device-id"));
    World.Tab next = device.started();
    assertThat(device.dirty(SyncedField.READ)).as("nothing is forgotten").isFalse();
    assertThat(next.sync.reader().read()).containsExactly("one");
  }

  @Test
  void aClearingThatOneTabHearsOfIsNotUndoneByAMarkInAnother() {
    World.Tab one = device.started();
    one.read("old");
    world.passMinutes(2);
    World.Tab two = device.started();
    world.passSeconds(20);
    world.firestore.plant(world.forum.node(), Fixtures.read(5, "theirs"));

    one.sync.pull(() -> {});
    world.pass(LATE / 2);
    two.read("new");
    world.passMinutes(3);

    assertThat(world.stored().read().value()).contains("theirs").doesNotContain("old");
    assertThat(one.sync.reader().read()).doesNotContain("old");
    assertThat(two.sync.reader().read()).doesNotContain("old");
  }

  @Test
  void aDateThatOneTabWroteLateDoesNotOutliveAClearingThatAnotherHeardOf() {
    World.Tab one = device.started();
    World.Tab two = device.started();
    world.passSeconds(20);
    world.firestore.plant(
        world.forum.node(), Fixtures.withLoadFrom(Fixtures.none(), 0, 3, Fixtures.DAY_2));
    device.lateness = 1_500;
    two.sync.pull(() -> {});
    world.pass(LATE / 2);
    world.firestore.plant(world.forum.node(), Fixtures.withLoadFrom(Fixtures.none(), 1, 3, ""));
    device.lateness = LATE / 4;
    one.sync.pull(() -> {});
    world.passMinutes(3);

    assertThat(world.stored().loadFrom().value()).isEmpty();
    assertThat(one.sync.reader().loadFrom()).isEmpty();
    assertThat(two.sync.reader().loadFrom()).isEmpty();
  }

  @Test
  void marksThatTheResettingTabHadNeverSeenStayRemoved() {
    World.Tab resetting = device.started();
    World.Tab pulling = device.started();
    world.passSeconds(20);
    world.firestore.plant(
        world.forum.node(), Fixtures.withLoadFrom(Fixtures.read(0, "old"), 0, 3, Fixtures.DAY_2));
    device.lateness = 1_500;
    pulling.sync.pull(() -> {});
    world.pass(LATE / 2);
    pulling.close();
    device.lateness = LATE / 4;
    resetting.reset();
    world.passMinutes(3);

    assertNothingIsLeftOf(resetting);
  }

  @Test
  void aTabTakesOutWhatItWroteLateWhenItHearsOfAReset() {
    World.Tab resetting = device.started();
    World.Tab pulling = device.started();
    world.firestore.plant(world.forum.node(), Fixtures.read(0, "old"));
    pulling.sync.pull(() -> {});
    world.passSeconds(20);
    world.firestore.plant(world.forum.node(), Fixtures.read(0, "old", "older"));
    device.lateness = 1_500;
    pulling.sync.pull(() -> {});
    world.pass(LATE / 2);
    device.lateness = LATE / 4;
    resetting.reset();
    world.pass(LATE * 2);
    assertThat(resetting.resets).containsExactly(ResetOutcome.EVERYWHERE);
    resetting.close();
    world.passMinutes(3);

    assertNothingIsLeftOf(pulling);
  }

  @Test
  void whatATabWroteLateBeforeItClosedDoesNotOutliveAResetThatIsPending() {
    World.Tab resetting = device.started();
    World.Tab pulling = device.started();
    pulling.sync.pull(() -> {});
    world.passSeconds(20);
    world.firestore.plant(
        world.forum.node(), Fixtures.withPrefs(Fixtures.read(0, "old"), 0, Map.of("Ann", 1)));
    device.lateness = 1_500;
    pulling.sync.pull(() -> {});
    world.pass(LATE / 2);
    pulling.close();
    device.lateness = LATE / 4;
    world.firestore.nextCommit(world.firestore.error(503, "UNAVAILABLE"));
    resetting.reset();
    world.passMinutes(3);

    assertNothingIsLeftOf(resetting);
  }

  private void assertNothingIsLeftOf(World.Tab tab) {
    assertThat(tab.sync.reader().read()).isEmpty();
    assertThat(tab.sync.reader().loadFrom()).isEmpty();
    assertThat(tab.sync.reader().authorPreferences()).isEmpty();
    World.Tab later = device.started();
    world.passMinutes(3);
    assertThat(later.sync.reader().read()).isEmpty();
    assertThat(world.stored().read().value()).isEmpty();
    assertThat(world.stored().loadFrom().value()).isEmpty();
    assertThat(world.stored().authorPrefs().value()).isEmpty();
    assertThat(world.storedEpochs()).doesNotContain(0);
  }

  @Test
  void whatIsMarkedWhileSomebodyElseLogsInStaysOutOfTheirs() {
    World.Tab alice = device.started();
    alice.read("before");
    world.passMinutes(2);
    world.forum.logIn("bob", FakeForum.withSecret("b0b5-b0b5-b0b5-b0b5-b0b5"));
    World.Tab bob = device.tab();
    bob.start();
    for (int i = 0; i < 30; i++) {
      alice.read("hers" + i);
      world.pass(100);
    }
    world.passMinutes(3);

    assertThat(bob.sync.reader().read()).isEmpty();
    assertThat(world.firestore.commits())
        .filteredOn(commit -> String.valueOf(commit.body()).contains(world.forum.node()))
        .noneMatch(commit -> String.valueOf(commit.body()).contains("hers"));
  }

  @Test
  void whatATabWroteLateIsNotPushedByTheTabThatHasJustHeardOfAClearing() {
    World.Tab clearing = device.started();
    clearing.sync.reader().setAuthorPreference("Ann", 1);
    clearing.read("old");
    world.passMinutes(2);
    World.Tab late = device.started();
    world.passSeconds(20);
    world.firestore.plant(
        world.forum.node(), Fixtures.withPrefs(Fixtures.read(5, "theirs"), 5, Map.of()));
    int commits = world.firestore.commits().size();

    clearing.sync.pull(() -> {});
    while (!clearing.sync.reader().read().contains("theirs")) {
      world.pass(1);
    }
    late.sync.reader().setAuthorPreference("Eve", -1);
    late.read("late");
    world.pass(LATE + 100);
    // While this is under way, the late tab's meta goes unseen; its preferences arrive.
    clearing.read("new");
    world.pass(LATE - 50);
    clearing.sync.flush(() -> {});
    world.passMinutes(3);

    assertThat(world.firestore.commits().stream().skip(commits))
        .isNotEmpty()
        .noneMatch(commit -> String.valueOf(commit.body()).contains("Ann"))
        .noneMatch(commit -> String.valueOf(commit.body()).contains("old"));
    assertThat(world.stored().read().value()).contains("theirs", "new").doesNotContain("old");
    assertThat(clearing.sync.reader().read()).contains("theirs", "new").doesNotContain("old");
    assertThat(late.sync.reader().read()).contains("theirs", "new").doesNotContain("old");
  }

  @Test
  void whatIsMarkedAfterAClearingThatALateTabPutsBackIsKept() {
    World.Tab clearing = device.started();
    clearing.read("old");
    world.passMinutes(2);
    World.Tab late = device.started();
    world.passSeconds(20);
    world.firestore.plant(world.forum.node(), Fixtures.read(5, "theirs"));

    clearing.sync.pull(() -> {});
    while (!clearing.sync.reader().read().contains("theirs")) {
      world.pass(1);
    }
    late.read("late");
    world.pass(LATE * 2 + 10);
    clearing.read("new");
    world.passMinutes(3);

    assertThat(world.stored().read().value()).contains("theirs", "new").doesNotContain("old");
    assertThat(late.sync.reader().read()).contains("theirs", "new").doesNotContain("old");
  }

  @Test
  void pushesOfMarksStayRareAlsoWhenTwoTabsHavePushedAtOnce() {
    World.Tab one = device.started();
    World.Tab two = device.started();
    world.passMinutes(2);
    one.read("one");
    two.read("two");
    world.passSeconds(12);
    int commits = world.firestore.commits().size();
    assertThat(commits).as("both have pushed").isGreaterThan(1);

    one.close();
    two.close();
    device.started().read("three");
    world.passSeconds(20);
    assertThat(world.firestore.commits()).hasSize(commits);
    world.passMinutes(2);
    assertThat(world.stored().read().value()).containsExactlyInAnyOrder("one", "two", "three");
  }
}
