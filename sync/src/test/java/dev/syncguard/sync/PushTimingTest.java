package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.syncguard.sync.text.Iso;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When changes are pushed. */
@NullUnmarked
class PushTimingTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  @Test
  @Tag("PR-PERSIST-74")
  @Tag("T47")
  @Tag("T123")
  void aPushWaitsEightSecondsForMoreButNeverMoreThanThirty() {
    World.Tab tab = device.started();
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.pass(7_999);
    assertThat(firestore.commits()).isEmpty();
    world.pass(1);
    assertThat(firestore.commits()).hasSize(1);
    world.passMinutes(5);
    tab.sync.userActive();
    long start = world.elapsed();
    for (int i = 0; i < 10; i++) {
      tab.sync.reader().setAuthorPreference("A" + i, 1);
      world.passSeconds(4);
    }
    assertThat(firestore.commitTimes.get(1) - start).isEqualTo(30_000);
  }

  @Test
  @Tag("PR-PERSIST-74")
  @Tag("T123")
  void manyChangesBecomeFewPushesAtLeastFiveSecondsApart() {
    World.Tab tab = device.started();
    for (int i = 0; i < 200; i++) {
      tab.sync.reader().setAuthorPreference("A" + i, 1);
      world.pass(300);
    }
    world.passSeconds(60);
    assertThat(firestore.commits()).hasSizeBetween(2, 4);
    for (int i = 1; i < firestore.commitTimes.size(); i++) {
      assertThat(firestore.commitTimes.get(i) - firestore.commitTimes.get(i - 1))
          .isGreaterThanOrEqualTo(5_000);
    }
    assertThat(firestore.lastPushed().fields().authorPrefs().value()).hasSize(200);
  }

  @Test
  @Tag("PR-PERSIST-14")
  @Tag("T28")
  void nothingButReadMarksIsPushedOnlyEvery45Seconds() {
    World.Tab tab = device.started();
    tab.read("one");
    world.passSeconds(9);
    long first = firestore.commitTimes.get(0);
    for (int i = 0; i < 60; i++) {
      tab.read("more" + i);
      world.pass(500);
    }
    assertThat(firestore.commits()).hasSize(1);
    world.passSeconds(120);
    assertThat(firestore.commits()).hasSize(2);
    assertThat(firestore.commitTimes.get(1) - first).isBetween(45_000L, 45_100L);
  }

  @Test
  @Tag("PR-PERSIST-14")
  @Tag("T28")
  void anythingElseGoesAtItsOwnPaceAndTakesTheReadMarksAlong() {
    World.Tab tab = device.started();
    tab.read("one");
    world.passSeconds(9);
    tab.read("two");
    world.passSeconds(10);
    assertThat(firestore.commits()).hasSize(1);
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    assertThat(firestore.commits()).hasSize(2);
    assertThat(firestore.lastPushed().fields().read().value()).contains("two");
    tab.read("three");
    world.passSeconds(40);
    assertThat(firestore.commits())
        .as("the window still counts from the first push")
        .hasSize(3);
  }

  @Test
  @Tag("PR-PERSIST-14")
  void aWindowOutsideThirtyToSixtySecondsIsRefused() {
    for (long odd : new long[] {29_999, 60_001}) {
      assertThat(catchThrowable(() -> SyncConfig.builder(Site.LESSWRONG).readOnlyWindowMillis(odd)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @Tag("PR-PERSIST-68")
  @Tag("T115")
  void writingCanBeSwitchedOffWithoutLosingAnything() {
    World.Tab off = device.tab(World.config(Site.LESSWRONG).writesEnabled(false).build());
    off.start();
    off.read("abc");
    world.passMinutes(2);
    assertThat(firestore.commits()).isEmpty();
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    off.sync.pageFocused();
    world.passMinutes(3);
    off.sync.pageFocused();
    world.passSeconds(2);
    assertThat(off.sync.reader().read()).contains("theirs");
    off.reset();
    world.passSeconds(2);
    assertThat(off.resets).containsExactly(ResetOutcome.PENDING);
    off.read("after");
    off.close();
    World.Tab tight = device.tab(World.config(Site.LESSWRONG)
        .readCap(5)
        .writeFloorMillis(60_000)
        .retentionDays(7)
        .dailyPushes(10, 20)
        .build());
    tight.start();
    world.passMinutes(3);
    assertThat(world.stored().read().value()).containsExactly("after");
    assertThat(Iso.millis(firestore.lastPushed().expiresAt()) - world.trueMillis())
        .isLessThan(7 * 86_400_000L);
  }

  @Test
  @Tag("PR-PERSIST-54")
  @Tag("T89")
  void hidingThePagePushesAtOnceWhatIsNew() {
    World.Tab tab = device.started();
    tab.read("one");
    tab.sync.pageHidden();
    assertThat(firestore.commits()).as("in the very same moment").hasSize(1);
    world.passSeconds(1);
    tab.sync.pageVisible();
    tab.read("two");
    tab.sync.pageHidden();
    world.pass(3_900);
    assertThat(firestore.commits()).as("but not within five seconds").hasSize(1);
    world.pass(300);
    assertThat(firestore.commits()).hasSize(2);
    tab.read("three");
    world.passMinutes(20);
    assertThat(firestore.commits()).as("and only once").hasSize(2);
    tab.sync.pageVisible();
    world.passMinutes(1);
    assertThat(world.stored().read().value()).contains("three");
  }

  @Test
  @Tag("PR-PERSIST-54")
  void stoppingWritesNothing() {
    World.Tab tab = device.started();
    tab.read("one");
    tab.sync.stop();
    world.passMinutes(60);
    assertThat(firestore.commits()).isEmpty();
    assertThat(device.dirty(SyncedField.READ)).isTrue();
  }
}
