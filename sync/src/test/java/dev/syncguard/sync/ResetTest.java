package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@NullUnmarked
class ResetTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  private SyncedFields stored() {
    return firestore.stored(world.forum.node()).fields();
  }

  private List<Integer> epochs() {
    return List.of(
        stored().read().clearEpoch(),
        stored().loadFrom().clearEpoch(),
        stored().authorPrefs().clearEpoch());
  }

  /** The reset page: a new tab that does nothing but reset. */
  private World.Tab resetPage() {
    World.Tab page = device.tab();
    page.reset();
    world.passSeconds(20);
    return page;
  }

  @Test
  @Tag("PR-PERSIST-05")
  @Tag("PR-PERSIST-25")
  @Tag("PR-PERSIST-28")
  @Tag("PR-PERSIST-81")
  @Tag("T48")
  @Tag("T62")
  @Tag("T63")
  @Tag("T94")
  @Tag("T130")
  void aResetEmptiesTheDeviceAndTheRemoteInHigherEpochs() {
    firestore.plant(world.forum.node(), Fixtures.full());
    World.Tab reader = device.started();
    reader.read("more");
    reader.close();
    device.values.put("power-reader-view-width", "800");
    device.values.put("helpCollapsed", "true");
    device.values.put("power-reader-sync-enabled", "true");
    String id = device.values.get("power-reader-device-id");
    String quota = device.values.get("power-reader-sync-quota-meta");
    firestore.requests.clear();
    World.Tab page = resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(epochs()).containsExactly(3, 5, 7);
    assertThat(stored().read().value()).isEmpty();
    assertThat(stored().authorPrefs().value()).isEmpty();
    assertThat(stored().loadFrom().value()).isEmpty();
    assertThat(stored().loadFrom().version()).isEqualTo(6);
    Envelope pushed = firestore.lastPushed();
    assertThat(pushed.lastPushedBy()).isEqualTo(id);
    assertThat(Iso.millis(pushed.expiresAt()) - Iso.millis(pushed.lastPushedAt()))
        .isEqualTo(180 * 86_400_000L);
    assertThat(firestore.requests).as("one read and one write, no pull before").hasSize(2);
    assertThat(world.forum.updates).isZero();
    assertThat(device.values)
        .doesNotContainKeys(
            "power-reader-read",
            "power-reader-read-from",
            "power-reader-author-prefs",
            "power-reader-view-width",
            "helpCollapsed");
    assertThat(device.values)
        .containsEntry("power-reader-device-id", id)
        .containsEntry("power-reader-sync-enabled", "true");
    assertThat(quota == null || device.values.containsKey("power-reader-sync-quota-meta"))
        .isTrue();
    assertThat(device.meta().dirty()).isFalse();
    assertThat(device.meta().pendingReset()).isNull();
  }

  @Test
  @Tag("PR-PERSIST-05")
  @Tag("T94")
  void aResetKeepsWhatIsKnownOfQuotas() {
    World.Tab reader = device.started();
    reader.read("abc");
    world.passSeconds(9);
    resetPage();
    assertThat(QuotaMeta.read(device.values.get("power-reader-sync-quota-meta")).pushes())
        .isEqualTo(2);
  }

  @Test
  @Tag("PR-PERSIST-05")
  void whatIsMarkedRightAfterAResetIsNotLost() {
    firestore.plant(world.forum.node(), Fixtures.full());
    device.started().close();
    resetPage().close();
    firestore.always = firestore.fail(Http.Cause.OFFLINE);
    World.Tab tab = device.started();
    tab.read("after");
    world.passSeconds(1);
    firestore.always = null;
    world.passMinutes(3);
    assertThat(stored().read().value()).containsExactly("after");
    assertThat(tab.sync.reader().read()).containsExactly("after");
  }

  @Test
  @Tag("PR-PERSIST-22")
  @Tag("PR-PERSIST-05")
  void otherDevicesDropWhatTheyHad() {
    World.Device other = world.device();
    World.Tab two = other.started();
    two.read("old");
    world.passSeconds(9);
    device.started().close();
    resetPage();
    two.read("old-too");
    world.passMinutes(3);
    two.sync.pageFocused();
    world.passMinutes(1);
    assertThat(two.sync.reader().read()).isEmpty();
    assertThat(stored().read().value()).isEmpty();
    two.read("new");
    world.passMinutes(1);
    assertThat(stored().read().value()).containsExactly("new");
  }

  @Test
  @Tag("PR-PERSIST-25")
  @Tag("T63")
  @Tag("T103")
  void aLostRaceRaisesTheTargetsAndNothingEverFalls() {
    firestore.plant(world.forum.node(), Fixtures.read(2, "a"));
    device.started().close();
    firestore.nextCommit(
        firestore.before(() -> firestore.plant(world.forum.node(), Fixtures.read(7, "b"))));
    resetPage();
    assertThat(epochs()).containsExactly(8, 1, 1);
  }

  @Test
  @Tag("PR-PERSIST-25")
  @Tag("T63")
  void aLostRaceAgainstALowerEpochKeepsTheTargets() {
    firestore.plant(world.forum.node(), Fixtures.read(2, "a"));
    device.started().close();
    firestore.nextCommit(
        firestore.before(() -> firestore.plant(world.forum.node(), Fixtures.read(2, "b"))));
    resetPage();
    assertThat(epochs()).containsExactly(3, 1, 1);
  }

  @Test
  @Tag("PR-PERSIST-25")
  void afterThreeLostRacesItIsPostponed() {
    firestore.plant(world.forum.node(), Fixtures.read(2, "a"));
    device.started().close();
    for (int i = 0; i < 4; i++) {
      firestore.nextCommit(firestore.error(409, "ABORTED"));
    }
    World.Tab page = resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
    assertThat(firestore.commits()).hasSize(4);
    assertThat(device.meta().pendingReset().read()).isEqualTo(3);
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
    assertThat(stored().read().value()).isEmpty();
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
    World.Tab page = resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(other.sync.reader().read()).isEmpty();
  }

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
    World.Tab page = resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
    page.close();
    SyncMeta meta = device.meta();
    assertThat(meta.pendingReset())
        .extracting("read", "loadFrom", "authorPrefs", "sawRemote")
        .containsExactly(3, 5, 7, true);
    assertThat(meta.read().clearEpoch()).isEqualTo(3);
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
    assertThat(epochs()).containsExactly(3, 5, 7);
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
    resetPage().close();
    String pending = device.values.get("power-reader-sync-meta");
    for (int i = 0; i < 5; i++) {
      device.values.put("power-reader-sync-meta", pending);
      firestore.nextCommit(firestore.loseAnswer());
      World.Tab tab = device.started();
      world.passSeconds(30);
      assertThat(epochs()).containsExactly(3, 5, 7);
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
    World.Tab page = resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
    page.close();
    World.Tab other = world.device().started();
    other.read("since");
    world.passSeconds(9);
    World.Tab tab = device.started();
    world.passSeconds(5);
    assertThat(stored().read().value()).containsExactly("since");
    assertThat(tab.sync.reader().read()).containsExactly("since");
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
    World.Tab page = resetPage();
    page.close();
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
    assertThat(world.forum.updates).as("a reset makes no secret").isZero();
    assertThat(device.meta().pendingReset())
        .extracting("read", "loadFrom", "authorPrefs", "sawRemote")
        .containsExactly(3, 5, 7, false);
    world.forum.logIn("user123", profile);
    firestore.plant(world.forum.node(), Fixtures.withRead(Fixtures.full(), 9, Set.of("old")));
    World.Tab tab = device.started();
    tab.read("after");
    world.passSeconds(60);
    assertThat(epochs()).as("the higher of target and remote").containsExactly(9, 5, 7);
    assertThat(tab.log).anyMatch(line -> line.contains("already as far"));
    assertThat(stored().read().value()).containsExactly("after");
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
    resetPage().close();
    World.Tab tab = device.started();
    tab.read("after");
    world.passMinutes(1);
    assertThat(tab.label()).isEqualTo("Sync: unavailable");
    firestore.requests.clear();
    world.forum.logIn("user123", profile);
    tab.sync.setEnabled(false);
    tab.sync.setEnabled(true);
    world.passSeconds(60);
    Envelope first = FakeFirestore.envelope(firestore.commits().get(0), Site.LESSWRONG);
    assertThat(first.fields().read().value())
        .as("the first write is the cleared one")
        .isEmpty();
    assertThat(stored().read().value()).containsExactly("after");
    assertThat(epochs()).containsExactly(3, 5, 7);
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
    resetPage().close();
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
      assertThat(FakeFirestore.envelope(commit, Site.LESSWRONG).fields().read().value())
          .isEmpty();
    }
    firestore.always = null;
    world.passMinutes(3);
    assertThat(stored().read().value()).containsExactly("after");
  }

  @Test
  @Tag("PR-PERSIST-30")
  void aCrashInTheMiddleOfTheLocalClearingIsMadeGood() {
    World.Tab tab = device.started();
    tab.read("old");
    Resets.postpone(new LocalStore(Site.LESSWRONG, values(false), time(), null), null);
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

  private Time time() {
    return new Time() {
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

  @Test
  @Tag("PR-PERSIST-25")
  void aSecondResetClearsWhatOthersMarkedAfterTheFirstHadLandedUnnoticed() {
    device.started().close();
    firestore.nextCommit(firestore.loseAnswer());
    resetPage().close();
    World.Device second = world.device();
    World.Tab other = second.started();
    other.read("between");
    world.passSeconds(9);
    resetPage();
    assertThat(stored().read().value()).isEmpty();
    world.passMinutes(3);
    other.sync.pageFocused();
    world.passMinutes(1);
    assertThat(other.sync.reader().read()).isEmpty();
    assertThat(stored().read().value()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-05")
  void somebodyWhoNeverLoggedInHasNothingRemoteToClear() {
    world.forum.logOut();
    World.Tab anonymous = device.tab();
    anonymous.read("abc");
    World.Tab page = resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(device.meta().pendingReset()).isNull();
    assertThat(page.sync.reader().read()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-77")
  @Tag("T126")
  void aResetThatPendsForADayWithoutASecretSaysSo() {
    device.started().close();
    world.forum.logIn("user123", "{\"pr_sync_secret_v1\":0}");
    resetPage().close();
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
  @Tag("PR-PERSIST-05")
  void aResetWorksWhileSyncIsSwitchedOffAndWhenTheForumIsSilent() {
    World.Tab tab = device.started();
    tab.read("abc");
    world.passSeconds(9);
    tab.sync.setEnabled(false);
    tab.reset();
    world.passSeconds(2);
    assertThat(tab.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(stored().read().value()).isEmpty();
    world.forum.silent = true;
    World.Tab page = resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
  }

  @Test
  @Tag("PR-PERSIST-42")
  void nothingIsEverDeleted() {
    firestore.plant(world.forum.node(), Fixtures.full());
    device.started().close();
    resetPage();
    assertThat(firestore.requests)
        .allMatch(request -> request.body() == null || !request.body().contains("\"delete\""));
    assertThat(firestore.documents).hasSize(1);
    assertThat(Map.copyOf(device.shared)).doesNotContainKey("pr-sync-lock-lw-user123");
  }
}
