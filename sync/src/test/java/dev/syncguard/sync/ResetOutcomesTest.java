package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.engine.Resets;
import dev.syncguard.sync.remote.QuotaMeta;
import dev.syncguard.sync.state.Owner;
import dev.syncguard.sync.state.SyncedFields;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a reset ends, however the server takes it, and what the tab and its neighbours know then. */
@NullUnmarked
class ResetOutcomesTest {

  private static final long DAY = 86_400_000L;

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  private FakeFirestore.Mischief denied() {
    return firestore.error(403, "PERMISSION_DENIED");
  }

  @Test
  @Tag("PR-PERSIST-25")
  void aDeniedWriteOverADocumentIsTriedOnceMoreInViewOfIt() {
    firestore.plant(world.forum.node(), Fixtures.full());
    firestore.nextCommit(denied());
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(firestore.commits()).hasSize(2);
    assertThat(world.stored().read().value()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-25")
  void aWriteThatIsDeniedTwiceIsPostponed() {
    firestore.plant(world.forum.node(), Fixtures.full());
    firestore.nextCommit(denied());
    firestore.nextCommit(denied());
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
    assertThat(firestore.commits()).hasSize(2);
  }

  @Test
  @Tag("PR-PERSIST-25")
  void aDeniedWriteWithoutADocumentIsPostponedAtOnce() {
    firestore.nextCommit(denied());
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
    assertThat(firestore.commits()).hasSize(1);
  }

  @Test
  @Tag("PR-PERSIST-25")
  void aWriteThatIsDeniedForAWrongClockIsRepeatedWithTheRightOne() {
    device.clockError = 2 * DAY;
    firestore.datesAreVisible = false;
    firestore.nextCommit(firestore.before(() -> firestore.datesAreVisible = true));
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(firestore.commits()).hasSize(2);
  }

  @Test
  @Tag("PR-PERSIST-25")
  void aLostRaceIsFollowedByAPause() {
    world.rolling = true;
    firestore.plant(world.forum.node(), Fixtures.full());
    firestore.nextCommit(firestore.error(409, "ABORTED"));
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(firestore.commitTimes.get(1) - firestore.commitTimes.get(0))
        .as("one answer, one read, and at least a tenth of a second")
        .isGreaterThanOrEqualTo(firestore.latency + 2 * firestore.latency + 100);
  }

  @Test
  @Tag("PR-PERSIST-25")
  @Tag("PR-PERSIST-39")
  void aRaceThatWasLostToAFurtherResetIsWon() {
    firestore.plant(world.forum.node(), Fixtures.full());
    SyncedFields further =
        Fixtures.withPrefs(Fixtures.withLoadFrom(Fixtures.read(5, "new"), 6, 9, ""), 8, Map.of());
    firestore.nextCommit(firestore.before(() -> firestore.plant(world.forum.node(), further)));
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(world.stored().read().value()).containsExactly("new");
    assertThat(firestore.commits()).as("only the one that lost").hasSize(1);
    assertThat(device.meta().pendingReset()).isNull();
  }

  @Test
  @Tag("PR-PERSIST-25")
  void aResetLeavesAlonesWhatHasBecomeSomebodyElsesMeanwhile() {
    device.started().close();
    firestore.nextRead(
        firestore.before(() -> device.meddle(meta -> meta.with(new Owner("other", 7)))));
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
    assertThat(firestore.commits()).isEmpty();
    assertThat(device.meta().pendingReset()).isNull();
    assertThat(Resets.empty(device.local(), new Owner("user123", 0), null)).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-25")
  void theTabKnowsWhatItWroteAndAllThatChanged() {
    firestore.plant(world.forum.node(), Fixtures.full());
    World.Tab tab = device.started();
    tab.applied.clear();
    tab.reset();
    world.passSeconds(20);
    assertThat(tab.applied).contains(SyncedField.values());
    firestore.requests.clear();
    tab.read("after");
    world.passSeconds(9);
    assertThat(firestore.reads()).as("it need not look again").isEmpty();
    assertThat(world.stored().read().value()).containsExactly("after");
  }

  @Test
  @Tag("PR-PERSIST-25")
  void otherTabsMayWriteAsSoonAsItIsOver() {
    World.Tab page = device.tab();
    page.reset();
    world.passSeconds(2);
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    QuotaMeta quota = QuotaMeta.read(device.values.get("power-reader-sync-quota-meta"));
    assertThat(quota.pushesOf("user123").busyUntil()).isZero();
    assertThat(device.meta().lastSyncNode()).isEqualTo(world.forum.node());
  }

  @Test
  @Tag("PR-PERSIST-25")
  void aResetThatGotThroughEndsAnEarlierFailure() {
    World.Tab tab = device.started();
    firestore.always = firestore.error(503, "UNAVAILABLE");
    tab.read("abc");
    world.passSeconds(9);
    assertThat(tab.label()).isEqualTo("Sync: offline (retrying...)");
    firestore.always = null;
    tab.reset();
    world.pass(500);
    assertThat(tab.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(tab.label()).startsWith("Sync: OK");
  }

  @Test
  @Tag("PR-PERSIST-12")
  @Tag("PR-PERSIST-25")
  void aResetThatIsRefusedSaysWhyAlsoAfterAFailure() {
    firestore.nextRead(firestore.fail(Http.Cause.REFUSED));
    World.Tab tab = device.started();
    assertThat(tab.label()).startsWith("Sync blocked");
    firestore.plantRaw(
        Site.LESSWRONG, world.forum.node(), "{\"schemaVersion\":{\"integerValue\":\"2\"}}");
    tab.reset();
    world.pass(500);
    assertThat(tab.resets).containsExactly(ResetOutcome.REFUSED);
    assertThat(tab.label()).isEqualTo("Sync: read-only (newer data version)");
  }
}
