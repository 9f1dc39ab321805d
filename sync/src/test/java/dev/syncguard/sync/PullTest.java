package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@NullUnmarked
class PullTest {

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
    two.sync.pageFocused();
    world.passSeconds(1);
    two.sync.pageVisible();
    world.passSeconds(1);
    assertThat(firestore.reads()).hasSizeLessThanOrEqualTo(2);
    int afterFocus = firestore.reads().size();
    world.passSeconds(100);
    two.sync.pageFocused();
    assertThat(firestore.reads()).hasSize(afterFocus);
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
  @Tag("PR-PERSIST-12")
  @Tag("T35")
  void aNewerVersionIsLeftAloneForTheSession() {
    firestore.plantRaw(
        Site.LESSWRONG, world.forum.node(), "{\"schemaVersion\":{\"integerValue\":\"2\"}}");
    World.Tab tab = device.started();
    tab.read("abc");
    world.passMinutes(15);
    assertThat(tab.label()).isEqualTo("Sync: read-only (newer data version)");
    assertThat(tab.log).anyMatch(line -> line.contains("newer version"));
    assertThat(firestore.commits()).isEmpty();
    assertThat(device.dirty(SyncedField.READ)).isTrue();
  }

  @Test
  @Tag("PR-PERSIST-12")
  @Tag("T120")
  void aNewerVersionThatShowsUpInARaceEndsTheAttempt() {
    firestore.plant(world.forum.node(), Fixtures.none());
    World.Tab tab = device.started();
    firestore.plantRaw(
        Site.LESSWRONG, world.forum.node(), "{\"schemaVersion\":{\"integerValue\":\"3\"}}");
    tab.read("abc");
    world.passMinutes(5);
    assertThat(firestore.commits()).as("only the one that lost").hasSize(1);
    assertThat(tab.label()).isEqualTo("Sync: read-only (newer data version)");
    assertThat(device.dirty(SyncedField.READ)).isTrue();
  }

  @Test
  @Tag("PR-PERSIST-13")
  @Tag("PR-PERSIST-76")
  @Tag("PR-PERSIST-12")
  @Tag("T37")
  void aBrokenDocumentIsIgnoredAndNeverWrittenOverExceptByAReset() {
    for (String broken : List.of(
        "{}",
        "{\"schemaVersion\":{\"integerValue\":\"0\"}}",
        "{\"schemaVersion\":{\"integerValue\":\"1\"}}")) {
      firestore.plantRaw(Site.LESSWRONG, world.forum.node(), broken);
      firestore.requests.clear();
      World.Tab tab = device.started();
      assertThat(tab.label()).isEqualTo("Sync: remote-invalid (push paused; reset recommended)");
      assertThat(tab.log).anyMatch(line -> line.startsWith("sync-remote-invalid"));
      tab.read("abc");
      firestore.plant(world.forum.node(), Fixtures.read(0, "valid-again"));
      world.passMinutes(15);
      assertThat(firestore.commits()).isEmpty();
      assertThat(tab.sync.reader().read()).containsExactly("abc");
      assertThat(device.dirty(SyncedField.READ)).isTrue();
      firestore.plantRaw(Site.LESSWRONG, world.forum.node(), broken);
      tab.reset();
      world.passSeconds(2);
      assertThat(tab.resets).containsExactly(ResetOutcome.EVERYWHERE);
      assertThat(firestore.stored(world.forum.node()).fields().read().value()).isEmpty();
      tab.close();
    }
  }

  @Test
  @Tag("PR-PERSIST-71")
  void rulesThatForbidReadingEndTheSession() {
    firestore.always = firestore.error(403, "PERMISSION_DENIED");
    World.Tab tab = device.started();
    tab.read("abc");
    world.passMinutes(30);
    assertThat(firestore.requests).hasSize(1);
    assertThat(tab.label()).isEqualTo("Sync: unavailable");
    assertThat(device.dirty(SyncedField.READ)).isTrue();
  }

  @Test
  @Tag("PR-PERSIST-73")
  @Tag("T122")
  void noDocumentIsAGoodStart() {
    World.Tab tab = device.started();
    assertThat(tab.outcomes).containsExactly(StartOutcome.HYDRATED);
    assertThat(tab.label()).startsWith("Sync: OK");
    firestore.always = firestore.answer(404, "<html>a proxy</html>");
    World.Tab other = world.device().started();
    assertThat(other.label()).isEqualTo("Sync: offline (retrying...)");
  }

  @Test
  @Tag("PR-PERSIST-48")
  @Tag("PR-PERSIST-73")
  void aDocumentThatExpiredIsMadeAnew() {
    World.Tab tab = device.started();
    tab.read("abc");
    world.passSeconds(9);
    firestore.delete(world.forum.node());
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    SyncedFields stored = firestore.stored(world.forum.node()).fields();
    assertThat(stored.read().value()).containsExactly("abc");
    assertThat(stored.authorPrefs().value()).containsOnlyKeys("Ann");
  }

  @Test
  @Tag("PR-PERSIST-23")
  void whatIsHereAndNotThereIsPushedEvenIfNobodyMarkedIt() {
    World.Tab tab = device.started();
    tab.read("abc");
    world.passSeconds(9);
    firestore.plant(world.forum.node(), Fixtures.read(0, "only-theirs"));
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    world.passMinutes(3);
    tab.sync.pageFocused();
    world.passSeconds(50);
    assertThat(firestore.stored(world.forum.node()).fields().read().value())
        .containsExactlyInAnyOrder("abc", "theirs");
  }

  @Test
  @Tag("PR-PERSIST-27")
  void wrongEntriesAreReportedAndNotWrittenBack() {
    String fields = EnvelopeEncoder.encode(Fixtures.envelope(Fixtures.read(0, "good")))
        .replace(
            "\"good\":{\"integerValue\":\"1\"}",
            "\"good\":{\"integerValue\":\"1\"},\"bad\":{\"integerValue\":\"2\"}");
    firestore.plantRaw(Site.LESSWRONG, world.forum.node(), fields);
    World.Tab tab = device.started();
    assertThat(tab.log).contains("1 entries of the remote state are malformed and left out");
    tab.read("more");
    world.passSeconds(9);
    assertThat(firestore.lastPushed().fields().read().value())
        .containsExactlyInAnyOrder("good", "more");
  }

  @Test
  @Tag("PR-PERSIST-08")
  @Tag("T60")
  void theLogTellsWhenRecentHidesADate() {
    firestore.plant(
        world.forum.node(), Fixtures.withLoadFrom(Fixtures.none(), 0, 1, Fixtures.DAY_1));
    device.values.put("power-reader-read-from", ReaderState.LOAD_RECENT);
    World.Tab tab = device.started();
    assertThat(tab.log)
        .containsOnlyOnce(
            "merge-loadFrom-override local=__LOAD_RECENT__ remote=ISO result=__LOAD_RECENT__");
    assertThat(tab.sync.reader().loadFrom()).isEqualTo(ReaderState.LOAD_RECENT);
  }

  @Test
  @Tag("PR-PERSIST-54")
  @Tag("T89")
  void ahiddenPageOrAnAbsentReaderCausesNoTraffic() {
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
    assertThat(firestore.stored(world.forum.node()).fields().read().value()).contains("three");
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

  @Test
  @Tag("PR-PERSIST-04")
  void whoWaitsGoesOnWhenNothingCanBeStoredAnyMore() {
    World.Tab tab = device.started();
    List<String> over = new ArrayList<>();
    device.values.clear();
    device.valuesCannotBeStored = true;
    tab.sync.pull(() -> over.add("pull"));
    world.passMinutes(1);
    assertThat(over).containsExactly("pull");
    tab.sync.flush(() -> over.add("push"));
    world.passMinutes(1);
    assertThat(over).containsExactly("pull", "push");
  }

  @Test
  @Tag("PR-PERSIST-04")
  void syncGoesOnWhenValuesCanBeStoredAgain() {
    World.Tab tab = device.started();
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    device.valuesCannotBeStored = true;
    tab.sync.pull(() -> {});
    world.passSeconds(1);
    assertThat(tab.sync.reader().read()).isEmpty();
    device.valuesCannotBeStored = false;
    for (int minute = 0; minute < 15; minute++) {
      tab.sync.userActive();
      world.passMinutes(1);
    }
    assertThat(tab.sync.reader().read()).containsExactly("theirs");
  }
}
