package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A reset among pushes, pulls and other resets that are under way. */
@NullUnmarked
class ResetRacesTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  @Test
  @Tag("PR-PERSIST-25")
  @Tag("T63")
  @Tag("T103")
  void aLostRaceRaisesTheTargetsAndNothingEverFalls() {
    firestore.plant(world.forum.node(), Fixtures.read(2, "a"));
    device.started().close();
    firestore.nextCommit(
        firestore.before(() -> firestore.plant(world.forum.node(), Fixtures.read(7, "b"))));
    device.resetPage();
    assertThat(world.storedEpochs()).containsExactly(8, 1, 1);
  }

  @Test
  @Tag("PR-PERSIST-25")
  @Tag("T63")
  void aLostRaceAgainstALowerEpochKeepsTheTargets() {
    firestore.plant(world.forum.node(), Fixtures.read(2, "a"));
    device.started().close();
    firestore.nextCommit(
        firestore.before(() -> firestore.plant(world.forum.node(), Fixtures.read(2, "b"))));
    device.resetPage();
    assertThat(world.storedEpochs()).containsExactly(3, 1, 1);
  }

  @Test
  @Tag("PR-PERSIST-25")
  void afterThreeLostRacesItIsPostponed() {
    firestore.plant(world.forum.node(), Fixtures.read(2, "a"));
    device.started().close();
    for (int i = 0; i < 4; i++) {
      firestore.nextCommit(firestore.error(409, "ABORTED"));
    }
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
    assertThat(firestore.commits()).hasSize(4);
    assertThat(device.meta().pendingReset().targets().read()).isEqualTo(3);
  }

  @Test
  @Tag("PR-PERSIST-25")
  @Tag("T54")
  void aPushThatWasUnderWayCanNeitherWriteNorClearAfterTheReset() {
    firestore.plant(world.forum.node(), Fixtures.read(0, "old"));
    World.Tab tab = device.started();
    firestore.nextCommit(firestore.delay(4_000));
    tab.read("stale");
    world.passSeconds(9);
    assertThat(firestore.inFlightCommits).isEqualTo(1);
    tab.reset();
    world.passSeconds(20);
    assertThat(tab.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(world.stored().read().value()).isEmpty();
    assertThat(tab.sync.reader().read()).isEmpty();
    assertThat(firestore.mostInFlightCommits).isEqualTo(1);
  }

  @Test
  @Tag("PR-PERSIST-25")
  void aPullThatWasUnderWayAppliesNothingAfterTheReset() {
    firestore.plant(world.forum.node(), Fixtures.read(0, "old"));
    World.Tab tab = device.tab();
    firestore.nextRead(firestore.delay(3_000));
    tab.start();
    world.passSeconds(1);
    tab.reset();
    world.passSeconds(20);
    assertThat(tab.sync.reader().read()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-25")
  void aPullOfAnotherTabAppliesNothingFromBeforeTheReset() {
    firestore.plant(world.forum.node(), Fixtures.read(0, "old"));
    World.Tab other = device.started();
    world.passMinutes(3);
    firestore.plant(world.forum.node(), Fixtures.read(0, "older"));
    firestore.nextRead((request, callback) -> false);
    firestore.nextRead((request, callback) -> {
      Http.Reply[] early = new Http.Reply[1];
      firestore.send(request, reply -> early[0] = reply);
      world.schedule(5_000, () -> callback.accept(early[0]));
      return true;
    });
    other.sync.pageFocused();
    world.passSeconds(1);
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(other.sync.reader().read()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-25")
  void aSecondResetClearsWhatOthersMarkedAfterTheFirstHadLandedUnnoticed() {
    device.started().close();
    firestore.nextCommit(firestore.loseAnswer());
    device.resetPage().close();
    World.Device second = world.device();
    World.Tab other = second.started();
    other.read("between");
    world.passSeconds(9);
    device.resetPage();
    assertThat(world.stored().read().value()).isEmpty();
    world.passMinutes(3);
    other.sync.pageFocused();
    world.passMinutes(1);
    assertThat(other.sync.reader().read()).isEmpty();
    assertThat(world.stored().read().value()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-25")
  @Tag("PR-PERSIST-39")
  void theReplayOfABlindResetBringsNothingBackThatTheNextOneRemovesJustThen() {
    World.Tab other = device.started();
    firestore.always = firestore.fail(Http.Cause.OFFLINE);
    device.resetPage().close();
    other.read("between");
    firestore.always = null;
    firestore.nextCommit((request, callback) -> {
      firestore.send(request, reply -> world.schedule(12_000, () -> callback.accept(reply)));
      return true;
    });
    World.Tab page = device.tab();
    page.reset();
    world.pass(100);
    other.sync.setEnabled(false);
    other.sync.setEnabled(true);
    other.sync.flush(() -> {});
    world.passMinutes(5);
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(world.stored().read().value()).isEmpty();
    assertThat(other.sync.reader().read()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-25")
  void whatAnotherTabMarksWhileAResetIsOnItsWayIsSaidAfterIt() {
    World.Tab other = device.started();
    other.read("before");
    world.passSeconds(20);
    firestore.nextCommit((request, callback) -> {
      firestore.send(request, reply -> world.schedule(8_000, () -> callback.accept(reply)));
      return true;
    });
    World.Tab page = device.tab();
    page.reset();
    world.passSeconds(1);
    assertThat(other.sync.reader().read()).as("the device comes first").isEmpty();
    other.read("after");
    world.passMinutes(3);
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(world.stored().read().value()).containsExactly("after");
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-25")
  @Tag("T63")
  void whatIsMarkedSinceTheDeviceWasEmptiedSurvivesALostRaceOfTheReset() {
    firestore.plant(world.forum.node(), Fixtures.read(2, "a"));
    World.Tab other = device.started();
    firestore.nextCommit(firestore.before(() -> {
      firestore.plant(world.forum.node(), Fixtures.read(7, "b"));
      other.read("after");
    }));
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    world.passMinutes(3);
    assertThat(world.storedEpochs()).containsExactly(8, 1, 1);
    assertThat(world.stored().read().value()).containsExactly("after");
  }

  @Test
  @Tag("PR-PERSIST-30")
  void aTabThatDiesBetweenTheDeviceAndTheRemoteLeavesTheRestToTheNext() {
    firestore.plant(world.forum.node(), Fixtures.read(2, "a"));
    device.started().close();
    firestore.nextCommit((request, callback) -> true);
    World.Tab page = device.tab();
    page.reset();
    world.passSeconds(1);
    page.close();
    assertThat(page.resets).isEmpty();
    World.Tab next = device.started();
    next.read("after");
    world.passMinutes(1);
    assertThat(world.storedEpochs()).containsExactly(3, 1, 1);
    assertThat(world.stored().read().value()).containsExactly("after");
  }
}
