package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.engine.Resets;
import dev.syncguard.sync.local.LocalStore;
import dev.syncguard.sync.remote.Envelope;
import dev.syncguard.sync.remote.EnvelopeEncoder;
import dev.syncguard.sync.state.Epochs;
import dev.syncguard.sync.state.Owner;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.state.SyncedFields;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A reset that has yet to reach the remote, and its replay. */
@NullUnmarked
class PendingResetTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  @Test
  @Tag("PR-PERSIST-30")
  @Tag("PR-PERSIST-39")
  @Tag("PR-PERSIST-65")
  @Tag("T68")
  @Tag("T76")
  @Tag("T111")
  void aResetThatCouldNotBeWrittenComesFirstNextTime() {
    firestore.plant(world.forum.node(), Fixtures.full());
    device.started().close();
    firestore.nextCommit(firestore.error(503, "UNAVAILABLE"));
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
    page.close();
    SyncMeta meta = device.meta();
    assertThat(meta.pendingReset())
        .extracting(SyncMeta.PendingReset::targets, SyncMeta.PendingReset::sawRemote)
        .containsExactly(new Epochs(3, 5, 7), true);
    assertThat(meta.fields().read().clearEpoch()).isEqualTo(3);
    assertThat(meta.dirty()).isTrue();
    firestore.requests.clear();
    World.Tab tab = device.tab();
    tab.start();
    world.pass(200);
    assertThat(tab.applied).as("nothing of the old state is shown").isEmpty();
    world.passSeconds(2);
    assertThat(firestore.requests.get(0).method()).isEqualTo(Http.Method.GET);
    assertThat(firestore.requests.get(1).method())
        .as("the replay comes before the pull")
        .isEqualTo(Http.Method.POST);
    assertThat(world.storedEpochs()).containsExactly(3, 5, 7);
    assertThat(tab.sync.reader().read()).isEmpty();
    assertThat(tab.outcomes).containsExactly(StartOutcome.HYDRATED);
    assertThat(device.meta().pendingReset()).isNull();
    world.passMinutes(1);
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-39")
  @Tag("T63")
  @Tag("T76")
  void aReplayCanBeRepeatedWithoutRaisingAnything() {
    firestore.plant(world.forum.node(), Fixtures.full());
    device.started().close();
    firestore.nextCommit(firestore.fail(Http.Cause.OFFLINE));
    device.resetPage().close();
    String pending = device.values.get("power-reader-sync-meta");
    for (int i = 0; i < 5; i++) {
      device.values.put("power-reader-sync-meta", pending);
      firestore.nextCommit(firestore.loseAnswer());
      World.Tab tab = device.started();
      world.passSeconds(30);
      assertThat(world.storedEpochs()).containsExactly(3, 5, 7);
      assertThat(device.meta().pendingReset()).isNull();
      tab.close();
    }
  }

  @Test
  @Tag("PR-PERSIST-39")
  void aReplayOfWhatHasLandedLeavesAloneWhatOthersMarkedSince() {
    firestore.plant(world.forum.node(), Fixtures.full());
    device.started().close();
    firestore.nextCommit(firestore.loseAnswer());
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
    page.close();
    World.Tab other = world.device().started();
    other.read("since");
    world.passSeconds(9);
    World.Tab tab = device.started();
    world.passSeconds(5);
    assertThat(world.stored().read().value()).containsExactly("since");
    assertThat(tab.sync.reader().read()).containsExactly("since");
  }

  @Test
  @Tag("PR-PERSIST-39")
  @Tag("PR-PERSIST-76")
  void aBrokenDocumentDoesNotPassForTheResetHoweverFarItClaimsToBe() {
    firestore.plant(world.forum.node(), Fixtures.full());
    device.started().close();
    firestore.nextCommit(firestore.error(503, "UNAVAILABLE"));
    device.resetPage().close();
    SyncedFields far = Fixtures.withPrefs(
        Fixtures.withLoadFrom(Fixtures.read(900, "forged"), 900, 900, Fixtures.DAY_1),
        900,
        Map.of());
    firestore.plantRaw(
        Site.LESSWRONG,
        world.forum.node(),
        EnvelopeEncoder.encode(Fixtures.envelope(far)).replace("\"device\"", "\"\""));
    World.Tab tab = device.started();
    world.passSeconds(5);
    assertThat(tab.label()).startsWith("Sync: OK");
    assertThat(world.stored().read().value()).isEmpty();
    assertThat(world.storedEpochs()).containsExactly(900, 900, 900);
    assertThat(device.meta().pendingReset()).isNull();
  }

  @Test
  @Tag("PR-PERSIST-30")
  @Tag("PR-PERSIST-39")
  @Tag("T75")
  void aResetWithoutASecretStoresItsTargetsAndIsReplayedBlindly() {
    firestore.plant(world.forum.node(), Fixtures.full());
    device.started().close();
    String profile = world.forum.overrides;
    world.forum.logIn("user123", "{}");
    World.Tab page = device.resetPage();
    page.close();
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
    assertThat(world.forum.updates).as("a reset makes no secret").isZero();
    assertThat(device.meta().pendingReset())
        .extracting(SyncMeta.PendingReset::targets, SyncMeta.PendingReset::sawRemote)
        .containsExactly(new Epochs(3, 5, 7), false);
    world.forum.logIn("user123", profile);
    firestore.plant(world.forum.node(), Fixtures.withRead(Fixtures.full(), 9, Set.of("old")));
    World.Tab tab = device.started();
    tab.read("after");
    world.passSeconds(60);
    assertThat(world.storedEpochs()).as("the higher of target and remote").containsExactly(9, 5, 7);
    assertThat(tab.log).anyMatch(line -> line.contains("already reset this far"));
    assertThat(world.stored().read().value()).containsExactly("after");
  }

  @Test
  @Tag("PR-PERSIST-30")
  @Tag("PR-PERSIST-65")
  @Tag("T112")
  void aSecretThatAppearsLaterBringsTheReplayBeforeAnythingElse() {
    firestore.plant(world.forum.node(), Fixtures.full());
    device.started().close();
    String profile = world.forum.overrides;
    world.forum.logIn("user123", "{\"pr_sync_secret_v1\":0}");
    device.resetPage().close();
    World.Tab tab = device.started();
    tab.read("after");
    world.passMinutes(1);
    assertThat(tab.label()).isEqualTo("Sync: unavailable");
    firestore.requests.clear();
    world.forum.logIn("user123", profile);
    tab.sync.setEnabled(false);
    tab.sync.setEnabled(true);
    world.passSeconds(60);
    Envelope first = firestore.envelope(firestore.commits().get(0), Site.LESSWRONG);
    assertThat(first.fields().read().value())
        .as("the first write is the cleared one")
        .isEmpty();
    assertThat(world.stored().read().value()).containsExactly("after");
    assertThat(world.storedEpochs()).containsExactly(3, 5, 7);
  }

  @Test
  @Tag("PR-PERSIST-65")
  @Tag("PR-PERSIST-34")
  @Tag("T71")
  @Tag("T111")
  void whileAResetIsPendingNothingIsPulledProbedOrPushed() {
    firestore.plant(world.forum.node(), Fixtures.full());
    device.started().close();
    firestore.nextCommit(firestore.fail(Http.Cause.OFFLINE));
    device.resetPage().close();
    firestore.always = (request, callback) -> request.method() == Http.Method.POST
        && firestore.fail(Http.Cause.OFFLINE).befall(request, callback);
    World.Tab tab = device.started();
    tab.read("after");
    for (int minute = 0; minute < 20; minute++) {
      tab.sync.userActive();
      tab.sync.pageFocused();
      world.passMinutes(1);
    }
    assertThat(tab.applied).isEmpty();
    assertThat(tab.sync.reader().read()).containsExactly("after");
    assertThat(tab.notices).isEmpty();
    for (Http.Request commit : firestore.commits()) {
      assertThat(firestore.envelope(commit, Site.LESSWRONG).fields().read().value())
          .isEmpty();
    }
    firestore.always = null;
    world.passMinutes(3);
    assertThat(world.stored().read().value()).containsExactly("after");
  }

  @Test
  @Tag("PR-PERSIST-77")
  @Tag("T126")
  void aResetThatPendsForADayWithoutASecretSaysSo() {
    device.started().close();
    world.forum.logIn("user123", "{\"pr_sync_secret_v1\":0}");
    device.resetPage().close();
    World.Tab young = device.started();
    assertThat(young.label()).isEqualTo("Sync: unavailable");
    young.close();
    world.passMinutes(24 * 60);
    World.Tab old = device.started();
    assertThat(old.label())
        .isEqualTo("Sync reset pending: sign in again / check identity permissions");
    assertThat(firestore.commits()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-30")
  void aCrashInTheMiddleOfTheLocalClearingIsMadeGood() {
    World.Tab tab = device.started();
    tab.read("old");
    LocalStore dying =
        new LocalStore(Site.LESSWRONG, values(false), SharedStore.none(), clocks(), dice());
    Resets.empty(dying, new Owner("user123", 0), null);
    assertThat(device.values.get("power-reader-read")).contains("old");
    World.Tab next = device.tab();
    assertThat(next.sync.reader().read()).isEmpty();
    next.read("new");
    assertThat(device.tab().sync.reader().read()).as("and only once").containsExactly("new");
  }

  /** A store whose device dies before anything can be removed. */
  private KeyValueStore values(boolean removes) {
    return new KeyValueStore() {
      @Override
      public String get(String key) {
        return device.values.get(key);
      }

      private boolean dead;

      @Override
      public void set(String key, String value) {
        if (!dead) {
          device.values.put(key, value);
        }
      }

      @Override
      public void remove(String key) {
        dead = !removes;
        if (removes) {
          device.values.remove(key);
        }
      }

      @Override
      public void onForeignChange(Consumer<String> listener) {}
    };
  }

  private static Random dice() {
    return new Random() {
      @Override
      public String uuid() {
        return "00000000-0000-4000-8000-000000000000";
      }

      @Override
      public int below(int bound) {
        return 0;
      }
    };
  }

  private Clocks clocks() {
    return new Clocks() {
      @Override
      public long wallMillis() {
        return world.trueMillis();
      }

      @Override
      public long monotonicMillis() {
        return world.elapsed();
      }
    };
  }
}
