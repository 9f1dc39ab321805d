package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.sync.engine.ResetRun;
import dev.syncguard.sync.engine.Resets;
import dev.syncguard.sync.local.LocalStore;
import dev.syncguard.sync.state.Caps;
import dev.syncguard.sync.state.Epochs;
import dev.syncguard.sync.state.LocalState;
import dev.syncguard.sync.state.Merge;
import dev.syncguard.sync.state.Owner;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.state.Ticket;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Encounters of tabs, crashes and late answers that the simulation has found, each told in a few lines. */
class RareEncountersTest {

  private final World world = new World();
  private final World.Device device = world.device();

  @Test
  void anAnswerThatWasUnderWayDoesNotEndACooldown() {
    World.Tab slow = device.started();
    World.Tab refused = device.started();
    world.firestore.nextRead(world.firestore.delay(2_000));
    slow.sync.pull(() -> {});
    world.firestore.nextRead(world.firestore.error(429, "RESOURCE_EXHAUSTED"));
    refused.sync.pull(() -> {});
    world.passSeconds(3);
    assertThat(slow.label()).startsWith("Sync: quota-limited");
    assertThat(refused.label()).startsWith("Sync: quota-limited");
  }

  @Test
  void aResetThatEndsLateDoesNotTurnBackWhatAnotherTabHasSeen() {
    device.started();
    LocalStore local = device.local();
    device.meddle(meta -> meta.with(SyncedField.READ, meta.fields().read().at(4, local.now())));
    Ticket begun = local.ticket(new Owner("user123", 0));
    ResetRun.Cleared late = new ResetRun.Cleared(new Epochs(3, 3, 3), 1);
    Resets.written(local, begun, late, null);
    assertThat(device.meta().epochs()).isEqualTo(new Epochs(4, 3, 3));
  }

  @Test
  void aResetThatAnotherTabHasRepeatedIsNotRepeatedOverNewMarks() {
    World.Tab first = device.started();
    device.http = (request, callback) -> callback.accept(new Http.Failure(Http.Cause.OFFLINE));
    first.reset();
    world.passSeconds(1);
    assertThat(first.resets).containsExactly(ResetOutcome.PENDING);
    first.close();
    device.http = world.firestore;
    world.firestore.nextCommit((request, callback) -> {
      world.schedule(
          5_000,
          () -> callback.accept(new Http.Answer(
              409, "{\"error\":{\"code\":409,\"message\":\"\",\"status\":\"ABORTED\"}}", null)));
      return true;
    });
    device.started();
    World.Tab quick = device.started();
    quick.read("after-the-reset");
    quick.sync.flush(() -> {});
    world.passSeconds(20);
    assertThat(world.device().started().sync.reader().read()).containsExactly("after-the-reset");
  }

  @Test
  void aChangeAfterAResetInWhichATabCrashedIsNotClearedAtTheNextStart() {
    World.Tab tab = device.started();
    tab.read("before");
    device.meddle(meta -> meta.with(pending()));
    tab.read("after");
    assertThat(device.tab().sync.reader().read()).containsExactly("after");
  }

  @Test
  void aResetInWhichATabCrashedIsRepeatedOnlyAfterTheDeviceIsCleared() {
    World.Tab tab = device.started();
    tab.read("before");
    device.meddle(meta ->
        meta.with(SyncedField.READ, meta.fields().read().at(1, Fixtures.DAY_1)).with(pending()));
    world.passSeconds(60);
    assertThat(world.device().started().sync.reader().read()).isEmpty();
  }

  @Test
  void marksThatGotTooManyAreNotLostInACrashWithoutAClearingForAll() {
    World.Tab elsewhere = world.device().started();
    elsewhere.read("a", "b");
    world.passSeconds(30);
    World.Tab tab = device.tab(World.config(Site.LESSWRONG).readCap(3).build());
    tab.read("c", "d");
    device.diesAt = "power-reader-read";
    tab.start();
    assertThatThrownBy(() -> world.passSeconds(1)).isInstanceOf(World.Death.class);
    tab.close();
    device.diesAt = "";
    device.started().read("after");
    world.passSeconds(60);
    assertThat(world.device().started().sync.reader().read())
        .as("cleared everywhere, except for what came later")
        .containsExactly("after");
  }

  @Test
  void marksThatGotTooManyAreKeptAsACopy() {
    World.Tab elsewhere = world.device().started();
    elsewhere.read("a", "b");
    world.passSeconds(30);
    World.Tab tab = device.tab(World.config(Site.LESSWRONG).readCap(3).build());
    tab.read("c", "d");
    tab.start();
    world.passSeconds(30);
    assertThat(tab.sync.reader().read()).isEmpty();
    World.Tab restored = world.device().tab();
    restored.sync.importState(tab.sync.backup().orElseThrow());
    assertThat(restored.sync.reader().read()).containsExactlyInAnyOrder("c", "d");
  }

  @Test
  void leavingThePageDuringAPushHurriesNothingThatIsSaidLater() {
    World.Tab tab = device.started();
    world.firestore.nextCommit(world.firestore.delay(2_000));
    tab.read("first");
    tab.sync.flush(() -> {});
    tab.sync.pageHidden();
    world.passSeconds(10);
    assertThat(device.dirty(SyncedField.READ)).isFalse();
    tab.read("second");
    world.passSeconds(10);
    assertThat(device.dirty(SyncedField.READ))
        .as("waits for the reader to return")
        .isTrue();
  }

  @Test
  void aPushThatTookAlongWhatWasSaidWhenThePageWasLeftHurriesNothingMore() {
    World.Tab tab = device.started();
    tab.read("before");
    world.passMinutes(2);
    World.Tab elsewhere = world.device().started();
    elsewhere.read("elsewhere");
    elsewhere.sync.flush(() -> {});
    world.passSeconds(2);
    tab.read("first");
    world.firestore.nextRead(world.firestore.delay(2_000));
    tab.sync.flush(() -> {});
    world.passSeconds(1);
    tab.sync.pageHidden();
    world.firestore.nextCommit(world.firestore.delay(2_000));
    world.passSeconds(2);
    tab.read("second");
    world.passSeconds(10);
    assertThat(world.stored().read().value()).contains("first").doesNotContain("second");
    assertThat(device.dirty(SyncedField.READ))
        .as("waits for the reader to return")
        .isTrue();
  }

  @Test
  void aPushThatFindsNothingNewHidesNoFailedWriteOfADateThatIsHeldBack() {
    World.Tab tab = device.started();
    tab.read("before");
    world.passMinutes(2);
    world.firestore.nextCommit(world.firestore.error(503, "UNAVAILABLE"));
    tab.sync.reader().setLoadFrom(Fixtures.DAY_2);
    tab.sync.flush(() -> {});
    world.pass(500);
    assertThat(tab.label()).startsWith("Sync: offline");
    tab.sync.reader().setLoadFrom(ReaderState.LOAD_RECENT);
    tab.read("mistake");
    tab.sync.reader().forgetRead(List.of("mistake"));
    tab.statuses.clear();
    world.passSeconds(25);
    assertThat(tab.statuses).noneMatch(status -> status.kind() == SyncStatus.Kind.OK);
    world.passMinutes(2);
    assertThat(tab.label()).startsWith("Sync: OK");
    assertThat(world.stored().loadFrom().value()).isEqualTo(ReaderState.LOAD_RECENT);
  }

  @Test
  void whatAClearingOvertakesBeforeItWasPushedIsKeptAsACopy() {
    World.Tab elsewhere = world.device().started();
    elsewhere.read("old");
    elsewhere.reset();
    world.passSeconds(30);
    device.values.put("power-reader-read", "{\"from-before-sync\":1}");
    World.Tab tab = device.started();
    assertThat(tab.sync.reader().read()).isEmpty();
    assertThat(tab.log).anyMatch(line -> line.contains("power-reader-sync-backup"));
    tab.sync.importState(Objects.requireNonNull(device.values.get("power-reader-sync-backup")));
    assertThat(tab.sync.reader().read()).containsExactly("from-before-sync");
    tab.reset();
    world.passSeconds(30);
    assertThat(device.values).doesNotContainKey("power-reader-sync-backup");
  }

  @Test
  void aPreferenceThatAnImportHasDroppedIsNotInsistedOn() {
    World.Tab elsewhere = world.device().started();
    elsewhere.sync.reader().setAuthorPreference("Ann", -1);
    world.passSeconds(30);
    World.Tab tab = device.started();
    tab.sync.reader().setAuthorPreference("Ann", 1);
    tab.sync.importState("{\"authorPrefs\":{\"Bob\":1}}");
    world.passSeconds(1);
    tab.sync.pull(() -> {});
    world.passSeconds(1);
    elsewhere.sync.reader().setAuthorPreference("Ann", 0);
    elsewhere.sync.flush(() -> {});
    world.passSeconds(60);
    assertThat(world.device().started().sync.reader().authorPreferences()).containsEntry("Ann", 0);
  }

  @Test
  void preferencesThatWereDroppedForLackOfSpaceDoNotPushOutOthers() {
    Map<String, Integer> there = Map.of("Ann", 1, "Bob", 1);
    SyncedFields remote = Fixtures.withPrefs(Fixtures.none(), 0, there);
    Map<String, Integer> here = new LinkedHashMap<>(there);
    here.put("Cid", 1);
    LocalState local = new LocalState(Set.of(), 0, "", 0, 0, here, 0, Set.of());
    SyncedFields merged =
        Merge.merge(local, remote, EnumSet.allOf(SyncedField.class), "writer", Fixtures.DAY_3);
    SyncedFields fitting = Caps.enforce(merged, 10, 2, "writer", Fixtures.DAY_3);
    assertThat(fitting.authorPrefs().value().keySet()).containsExactlyInAnyOrder("Ann", "Bob");
  }

  private static SyncMeta.Reset pending() {
    return new SyncMeta.Reset(
        "r1",
        new SyncMeta.PendingReset(Fixtures.DAY_1, new Epochs(1, 1, 1), false),
        SyncMeta.Clearing.EVERYTHING);
  }
}
