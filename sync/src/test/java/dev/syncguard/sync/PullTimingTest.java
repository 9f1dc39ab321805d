package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When the remote is looked at. */
@NullUnmarked
class PullTimingTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  @Test
  @Tag("PR-PERSIST-21")
  @Tag("T29")
  @Tag("T57")
  void returningToThePagePullsOnlyWhatIsOlderThanTwoMinutes() {
    World.Tab tab = device.started();
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    firestore.requests.clear();
    world.passSeconds(100);
    tab.sync.pageFocused();
    tab.sync.pageVisible();
    world.passSeconds(1);
    assertThat(firestore.requests).isEmpty();
    world.passSeconds(21);
    tab.sync.pageVisible();
    tab.sync.pageFocused();
    world.passSeconds(1);
    assertThat(firestore.requests).hasSize(1);
    assertThat(tab.sync.reader().read()).containsExactly("theirs");
    assertThat(tab.applied).contains(SyncedField.READ);
  }

  @Test
  @Tag("PR-PERSIST-21")
  @Tag("T30")
  @Tag("T51")
  void anOpenPagePullsEveryTenMinutesWithoutBeingAsked() {
    World.Tab tab = device.started();
    firestore.requests.clear();
    for (int minute = 0; minute < 65; minute++) {
      if (minute == 30) {
        firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
      }
      tab.sync.userActive();
      world.passMinutes(1);
    }
    assertThat(firestore.reads()).hasSize(6);
    assertThat(tab.sync.reader().read()).containsExactly("theirs");
  }

  @Test
  @Tag("PR-PERSIST-21")
  @Tag("T29")
  @Tag("T30")
  void aPullThatFailsChangesNothingAndWaitsForTheNextOccasion() {
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    World.Tab tab = device.started();
    tab.applied.clear();
    firestore.requests.clear();
    firestore.always = firestore.error(503, "UNAVAILABLE");
    world.passMinutes(3);
    tab.sync.pageFocused();
    world.passMinutes(2);
    assertThat(firestore.requests).hasSize(1);
    assertThat(tab.applied).isEmpty();
    assertThat(tab.sync.reader().read()).containsExactly("theirs");
    assertThat(tab.label()).isEqualTo("Sync: offline (retrying...)");
  }

  @Test
  @Tag("PR-PERSIST-21")
  @Tag("T55")
  void tabsShareTheirPulls() {
    world.rolling = true;
    World.Tab one = device.started();
    World.Tab two = device.started();
    world.passMinutes(3);
    firestore.requests.clear();
    one.sync.pageFocused();
    world.passSeconds(1);
    two.sync.pageFocused();
    two.sync.pageVisible();
    world.passSeconds(100);
    two.sync.pageFocused();
    world.passSeconds(1);
    assertThat(firestore.reads()).as("the second tab knows of the first one's").hasSize(1);
    firestore.requests.clear();
    for (int minute = 0; minute < 60; minute++) {
      one.sync.userActive();
      two.sync.userActive();
      world.passMinutes(1);
    }
    assertThat(firestore.reads()).hasSizeBetween(5, 7);
  }

  @Test
  @Tag("PR-PERSIST-21")
  void withoutASharedStoreEachTabPullsForItself() {
    device.sharedIsBroken = true;
    World.Tab one = device.started();
    World.Tab two = device.started();
    firestore.requests.clear();
    for (int minute = 0; minute < 62; minute++) {
      one.sync.userActive();
      two.sync.userActive();
      world.passMinutes(1);
    }
    assertThat(firestore.reads()).hasSize(12);
  }

  @Test
  @Tag("PR-PERSIST-21")
  @Tag("T121")
  void aPushThatFallsDueDuringAPullComesOnceAfterwards() {
    firestore.plant(world.forum.node(), Fixtures.none());
    World.Tab tab = device.started();
    tab.read("ours");
    world.passSeconds(7);
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    firestore.nextRead(firestore.delay(4_000));
    tab.sync.pull(() -> {});
    world.passSeconds(3);
    assertThat(firestore.commits()).isEmpty();
    world.passSeconds(3);
    assertThat(firestore.commits()).hasSize(1);
    assertThat(firestore.lastPushed().fields().read().value())
        .containsExactlyInAnyOrder("ours", "theirs");
  }

  @Test
  @Tag("PR-PERSIST-21")
  void aPullThatIsWantedDuringAPushComesOnceAfterwards() {
    World.Tab tab = device.started();
    world.passMinutes(3);
    tab.sync.userActive();
    tab.read("ours");
    firestore.nextCommit(firestore.delay(4_000));
    world.passSeconds(9);
    firestore.requests.clear();
    tab.sync.pageFocused();
    tab.sync.pageFocused();
    world.passSeconds(1);
    assertThat(firestore.requests).isEmpty();
    world.passSeconds(5);
    assertThat(firestore.reads()).hasSize(1);
  }

  @Test
  @Tag("PR-PERSIST-21")
  void anUnchangedDocumentIsNotFetchedAgain() {
    firestore.plant(world.forum.node(), Fixtures.full());
    World.Tab tab = device.started();
    firestore.requests.clear();
    world.passMinutes(3);
    tab.sync.pageFocused();
    world.passSeconds(1);
    assertThat(firestore.reads()).hasSize(1);
    assertThat(firestore.reads().get(0).url()).contains("mask.fieldPaths=schemaVersion");
    assertThat(tab.label()).startsWith("Sync: OK (");
    firestore.plant(world.forum.node(), Fixtures.read(5, "new"));
    world.passMinutes(3);
    tab.sync.pageFocused();
    world.passSeconds(1);
    assertThat(firestore.fullReads()).hasSize(1);
    assertThat(tab.sync.reader().read()).containsExactly("new");
    World.Tab plain =
        world.device().tab(World.config(Site.LESSWRONG).metadataProbe(false).build());
    plain.start();
    world.passMinutes(3);
    plain.sync.pageFocused();
    world.passSeconds(1);
    assertThat(firestore.fullReads()).hasSize(3);
  }

  @Test
  @Tag("PR-PERSIST-54")
  @Tag("T89")
  void aHiddenPageOrAnAbsentReaderCausesNoTraffic() {
    World.Tab tab = device.started();
    tab.sync.pageHidden();
    firestore.requests.clear();
    world.passMinutes(60);
    assertThat(firestore.requests).isEmpty();
    tab.sync.pageVisible();
    world.passSeconds(1);
    assertThat(firestore.requests).hasSize(1);
    firestore.requests.clear();
    world.passMinutes(60);
    assertThat(firestore.requests).as("nobody moved for an hour").isEmpty();
    tab.sync.userActive();
    world.passSeconds(1);
    assertThat(firestore.requests).hasSize(1);
  }
}
