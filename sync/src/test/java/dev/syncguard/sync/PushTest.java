package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@NullUnmarked
class PushTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  private Set<String> remoteRead() {
    return firestore.stored(world.forum.node()).fields().read().value();
  }

  @Test
  @Tag("PR-PERSIST-02")
  @Tag("PR-PERSIST-42")
  @Tag("PR-PERSIST-61")
  @Tag("T47")
  @Tag("T106")
  void onlyOneDocumentIsReadAndWrittenByTwoKindsOfRequests() {
    World.Tab tab = device.started();
    tab.read("abc");
    world.passSeconds(9);
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passMinutes(3);
    tab.sync.pageFocused();
    world.passSeconds(1);
    tab.reset();
    world.passSeconds(2);
    String base = "http://127.0.0.1:1/v1/projects/demo/databases/(default)/documents";
    String document = base + "/pr_sync_v1/lw/nodes/" + world.forum.node() + "?key=the-api-key";
    assertThat(firestore.reads())
        .isNotEmpty()
        .allMatch(request -> request.url().startsWith(document));
    assertThat(firestore.commits())
        .hasSize(3)
        .allMatch(request -> request.url().equals(base + ":commit?key=the-api-key"));
    assertThat(firestore.requests).allMatch(request -> request.timeoutMillis() == 15_000);
    for (Http.Request commit : firestore.commits()) {
      assertThat((List<?>) Json.parseObject(commit.body()).get("writes")).hasSize(1);
      assertThat(FakeFirestore.write(commit)).containsOnlyKeys("update", "currentDocument");
    }
  }

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
  @Tag("PR-PERSIST-45")
  @Tag("PR-PERSIST-09")
  @Tag("PR-PERSIST-78")
  @Tag("T32")
  @Tag("T34")
  @Tag("T80")
  @Tag("T127")
  void everyUpdateNamesTheVersionItReplaces() {
    World.Tab tab = device.started();
    tab.read("one");
    world.passSeconds(9);
    String token = firestore.token(world.forum.node());
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    assertThat(FakeFirestore.precondition(firestore.commits().get(0)))
        .isEqualTo(Map.of("exists", false));
    assertThat(FakeFirestore.precondition(firestore.commits().get(1)))
        .isEqualTo(Map.of("updateTime", token));
    assertThat(firestore.fullReads())
        .as("the token of our own commit is enough")
        .hasSize(1);
  }

  @Test
  @Tag("PR-PERSIST-09")
  @Tag("PR-PERSIST-45")
  @Tag("T22")
  @Tag("T34")
  void aLostRaceIsReadMergedAndWrittenAgain() {
    firestore.plant(world.forum.node(), Fixtures.none());
    World.Tab tab = device.started();
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    String token = firestore.token(world.forum.node());
    tab.read("ours");
    world.passSeconds(9);
    assertThat(firestore.commits()).hasSize(2);
    assertThat(FakeFirestore.precondition(firestore.commits().get(1)))
        .isEqualTo(Map.of("updateTime", token));
    assertThat(remoteRead()).containsExactlyInAnyOrder("ours", "theirs");
    assertThat(tab.sync.reader().read()).containsExactlyInAnyOrder("ours", "theirs");
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-09")
  @Tag("PR-PERSIST-26")
  @Tag("T22")
  @Tag("T33")
  void afterThreeRetriesItWaitsLongerAndLonger() {
    firestore.plant(world.forum.node(), Fixtures.none());
    World.Tab tab = device.started();
    firestore.always = (request, callback) -> request.method() == Http.Method.POST
        && firestore.error(400, "FAILED_PRECONDITION").befall(request, callback);
    tab.read("abc");
    world.passSeconds(40);
    List<Long> times = firestore.commitTimes;
    assertThat(times.size()).isBetween(16, 24);
    assertThat(times.get(3) - times.get(0)).isLessThan(1_000);
    assertThat(times.get(4) - times.get(3)).isBetween(1_000L, 1_300L);
    assertThat(times.get(8) - times.get(7)).isBetween(3_000L, 3_800L);
    assertThat(times.get(12) - times.get(11)).isBetween(10_000L, 12_200L);
    assertThat(times.get(16) - times.get(15)).isBetween(10_000L, 12_200L);
    assertThat(device.dirty(SyncedField.READ)).isTrue();
    assertThat(firestore.mostInFlightCommits).isEqualTo(1);
    firestore.always = null;
    world.passSeconds(15);
    assertThat(remoteRead()).containsExactly("abc");
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-26")
  @Tag("T61")
  void twoDevicesThatKeepWritingLoseNothing() {
    World.Device other = world.device();
    World.Tab one = device.started();
    World.Tab two = other.started();
    for (int i = 0; i < 30; i++) {
      one.sync.reader().setAuthorPreference("one" + i, 1);
      two.sync.reader().setAuthorPreference("two" + i, -1);
      one.read("r" + i);
      world.pass(1_700);
    }
    world.passMinutes(2);
    SyncedFields stored = firestore.stored(world.forum.node()).fields();
    assertThat(stored.authorPrefs().value()).hasSize(60);
    assertThat(stored.read().value()).hasSize(30);
    assertThat(device.meta().dirty()).isFalse();
    assertThat(other.meta().dirty()).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-62")
  @Tag("T107")
  @Tag("T133")
  void twoWhoCreateTheDocumentAtOnceBothGetIn() {
    World.Tab one = device.started();
    World.Device other = world.device();
    World.Tab two = other.started();
    one.read("one");
    two.read("two");
    world.passSeconds(10);
    assertThat(remoteRead()).containsExactlyInAnyOrder("one", "two");
    assertThat(FakeFirestore.precondition(firestore.commits().get(0)))
        .isEqualTo(Map.of("exists", false));
    assertThat(FakeFirestore.precondition(firestore.commits().get(1)))
        .isEqualTo(Map.of("exists", false));
    assertThat(firestore.commits()).hasSize(3);
  }

  @Test
  @Tag("PR-PERSIST-72")
  @Tag("T119")
  void aYesWithoutATokenProvesNothing() {
    World.Tab tab = device.started();
    for (String odd : List.of(
        "{}",
        "{\"writeResults\":[]}",
        "{\"writeResults\":[{}]}",
        "{\"writeResults\":[{\"updateTime\":\"\"}]}",
        "<html>")) {
      firestore.nextCommit(firestore.answer(200, odd));
    }
    tab.read("abc");
    world.passSeconds(9);
    assertThat(device.dirty(SyncedField.READ)).isTrue();
    int reads = firestore.fullReads().size();
    world.passMinutes(4);
    assertThat(firestore.fullReads().size()).as("each retry reads first").isGreaterThan(reads);
    assertThat(remoteRead()).containsExactly("abc");
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-72")
  @Tag("T118")
  void aWriteWhoseAnswerWasLostIsRecognised() {
    World.Tab tab = device.started();
    firestore.nextCommit(firestore.loseAnswer());
    tab.read("abc");
    world.passSeconds(30);
    assertThat(firestore.commits()).as("not written twice").hasSize(1);
    assertThat(device.meta().dirty()).isFalse();
    assertThat(tab.label()).startsWith("Sync: OK");
  }

  @Test
  @Tag("PR-PERSIST-72")
  @Tag("T118")
  void aServerThatNeverAnswersBlocksNothingForLong() {
    World.Tab tab = device.started();
    firestore.nextCommit(FakeFirestore.silence());
    tab.read("abc");
    world.passSeconds(8);
    assertThat(tab.label()).isEqualTo("Sync: syncing...");
    world.passSeconds(15);
    assertThat(tab.label()).isEqualTo("Sync: offline (retrying...)");
    world.passSeconds(5);
    assertThat(remoteRead()).containsExactly("abc");
  }

  @Test
  @Tag("PR-PERSIST-72")
  void networkFailuresAreRetriedLessAndLessOften() {
    World.Tab tab = device.started();
    firestore.always = firestore.error(503, "UNAVAILABLE");
    tab.read("abc");
    world.passSeconds(8);
    long start = world.elapsed();
    firestore.requests.clear();
    int[] expected = {2, 5, 15, 60, 60};
    long due = start + 20;
    for (int seconds : expected) {
      due += seconds * 1000L;
      world.pass(due - 1 - world.elapsed());
      int before = firestore.requests.size();
      world.pass(15_000 / 60 + seconds * 200L);
      assertThat(firestore.requests.size()).as(seconds + " s").isEqualTo(before + 1);
      due += 20;
    }
  }

  @Test
  @Tag("PR-PERSIST-72")
  void aChangeDuringThePushIsStillDueAfterwards() {
    World.Tab tab = device.started();
    firestore.nextCommit(firestore.delay(3_000));
    tab.read("first");
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    tab.read("second");
    tab.sync.reader().setAuthorPreference("Bob", 1);
    world.passSeconds(4);
    assertThat(device.dirty(SyncedField.READ)).isTrue();
    assertThat(device.meta().changedAuthors()).containsOnlyKeys("Bob");
    world.passSeconds(10);
    assertThat(remoteRead()).containsExactlyInAnyOrder("first", "second");
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-71")
  @Tag("T135")
  void rulesThatForbidWritingLeaveReadingOn() {
    World.Tab tab = device.started();
    firestore.nextCommit(firestore.error(403, "PERMISSION_DENIED"));
    tab.read("abc");
    world.passSeconds(9);
    assertThat(tab.label()).isEqualTo("Sync: push-disabled (permission)");
    tab.read("def");
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    world.passMinutes(3);
    tab.sync.pageFocused();
    world.passMinutes(5);
    assertThat(firestore.commits()).hasSize(1);
    assertThat(tab.sync.reader().read()).contains("theirs");
    assertThat(device.dirty(SyncedField.READ)).isTrue();
  }

  @Test
  @Tag("PR-PERSIST-71")
  @Tag("T133")
  void aServerThatDoesNotUnderstandUsEndsTheSession() {
    World.Tab tab = device.started();
    firestore.nextCommit(
        firestore.error(400, "INVALID_ARGUMENT", "Payload is not valid for request"));
    tab.read("abc");
    world.passMinutes(20);
    assertThat(tab.label()).isEqualTo("Sync: disabled (client error)");
    assertThat(firestore.commits()).hasSize(1);
    assertThat(device.dirty(SyncedField.READ)).isTrue();
  }

  @Test
  @Tag("PR-PERSIST-19")
  @Tag("PR-PERSIST-31")
  @Tag("T67")
  @Tag("T23")
  void aUnionBeyondTheCapIsClearedOnEveryPathAndEverywhere() {
    firestore.plant(world.forum.node(), Fixtures.none());
    World.Tab tab = device.started();
    World.Tab other = world.device().started();
    firestore.plant(
        world.forum.node(), Fixtures.withRead(Fixtures.full(), 2, Fixtures.ids("theirs", 6_000)));
    tab.sync.reader().markRead(Fixtures.ids("ours", 6_000));
    world.passSeconds(9);
    SyncedFields stored = firestore.stored(world.forum.node()).fields();
    assertThat(stored.read().value()).as("local epoch 0 was behind").hasSize(6_000);
    tab.sync.reader().markRead(Fixtures.ids("ours", 6_000));
    world.passSeconds(60);
    stored = firestore.stored(world.forum.node()).fields();
    assertThat(stored.read().value()).isEmpty();
    assertThat(stored.read().clearEpoch()).isEqualTo(3);
    assertThat(stored.authorPrefs().value())
        .isEqualTo(Fixtures.full().authorPrefs().value());
    assertThat(tab.sync.reader().read()).isEmpty();
    world.passMinutes(3);
    other.read("stale");
    other.sync.pageFocused();
    world.passSeconds(2);
    assertThat(other.sync.reader().read()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-31")
  @Tag("T67")
  void aConflictThatPushesTheUnionOverTheCapIsCleared() {
    firestore.plant(
        world.forum.node(), Fixtures.withRead(Fixtures.none(), 0, Fixtures.ids("a", 5_000)));
    World.Tab tab = device.started();
    firestore.nextCommit(firestore.before(() -> firestore.plant(
        world.forum.node(), Fixtures.withRead(Fixtures.none(), 0, Fixtures.ids("a", 10_000)))));
    tab.read("one-too-many");
    world.passSeconds(10);
    assertThat(remoteRead()).isEmpty();
    assertThat(firestore.stored(world.forum.node()).fields().read().clearEpoch())
        .isEqualTo(1);
  }

  @Test
  @Tag("PR-PERSIST-20")
  @Tag("PR-PERSIST-31")
  void tooManyPreferencesAreCompactedBeforeTheyAreSent() {
    World.Tab tab = device.started();
    for (int i = 0; i < 1_003; i++) {
      tab.sync.reader().setAuthorPreference("A" + i, 1);
    }
    tab.sync.reader().setAuthorPreference("A1002", 0);
    world.passSeconds(9);
    assertThat(firestore.lastPushed().fields().authorPrefs().value())
        .hasSize(1_000)
        .doesNotContainKey("A1002");
    assertThat(tab.sync.reader().authorPreferences()).hasSize(1_000);
    world.passMinutes(2);
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-19")
  void aServerThatFindsTheDocumentTooLargeGetsOneWithoutReadMarks() {
    World.Tab tab = device.started();
    firestore.nextCommit(
        firestore.error(400, "INVALID_ARGUMENT", "exceeds the maximum allowed size"));
    tab.read("abc");
    world.passSeconds(9);
    assertThat(remoteRead()).isEmpty();
    assertThat(firestore.stored(world.forum.node()).fields().read().clearEpoch())
        .isEqualTo(1);
    assertThat(tab.sync.reader().read()).isEmpty();
    assertThat(firestore.commits()).hasSize(2);
  }

  @Test
  @Tag("PR-PERSIST-19")
  void aServerThatStillFindsItTooLargeKeepsTheReadMarksHere() {
    World.Tab tab = device.started();
    firestore.nextCommit(firestore.error(400, "INVALID_ARGUMENT", "too many index entries"));
    firestore.nextCommit(firestore.error(400, "INVALID_ARGUMENT", "too many index entries"));
    tab.read("abc");
    world.passMinutes(4);
    assertThat(firestore.commits()).hasSize(2);
    tab.read("def");
    world.passMinutes(4);
    assertThat(firestore.commits()).as("no more attempts with read marks").hasSize(2);
    tab.sync.userActive();
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    assertThat(firestore.lastPushed().fields().authorPrefs().value()).containsOnlyKeys("Ann");
    world.passSeconds(60);
    assertThat(remoteRead()).as("after a success they travel again").containsExactly("def");
  }

  @Test
  @Tag("PR-PERSIST-19")
  @Tag("PR-PERSIST-31")
  void aDocumentThatWouldBeTooLargeIsNotEvenSent() {
    World.Tab tab = device.started();
    Set<String> long64 = Fixtures.ids("x".repeat(59), 9_999);
    tab.sync.reader().markRead(long64);
    for (int i = 0; i < 1_000; i++) {
      tab.sync.reader().setAuthorPreference("名".repeat(60) + i, 1);
    }
    world.passSeconds(9);
    assertThat(firestore.commits()).hasSize(1);
    assertThat(firestore.lastPushed().fields().read().clearEpoch()).isEqualTo(1);
    assertThat(EnvelopeSize.of(firestore.lastPushed(), "p")).isLessThan(1_000_000);
  }

  @Test
  @Tag("PR-PERSIST-82")
  @Tag("T131")
  void keysThatMayNotTravelStayOnTheDevice() {
    World.Tab tab = device.started();
    tab.read("fine", "not fine");
    tab.sync.reader().setAuthorPreference("__x__", 1);
    world.passSeconds(9);
    assertThat(remoteRead()).containsExactly("fine");
    assertThat(tab.sync.reader().read()).containsExactlyInAnyOrder("fine", "not fine");
    assertThat(tab.sync.reader().authorPreferences()).containsKey("__x__");
    assertThat(tab.log).filteredOn(line -> line.contains("2 keys")).hasSize(1);
  }

  @Test
  @Tag("PR-PERSIST-23")
  void aStaleDeviceDoesNotUndoWhatOthersSaidOfAuthors() {
    World.Tab one = device.started();
    one.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    World.Device other = world.device();
    World.Tab two = other.started();
    two.sync.reader().setAuthorPreference("Ann", -1);
    world.passSeconds(9);
    one.sync.reader().setAuthorPreference("Bob", 1);
    world.passSeconds(10);
    Map<String, SyncedFields.AuthorPref> stored =
        firestore.stored(world.forum.node()).fields().authorPrefs().value();
    assertThat(stored.get("Ann").v()).isEqualTo(-1);
    assertThat(one.sync.reader().authorPreferences()).containsEntry("Ann", -1);
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
    assertThat(remoteRead()).containsExactly("after");
    assertThat(Iso.millis(firestore.lastPushed().expiresAt()) - world.trueMillis())
        .isLessThan(7 * 86_400_000L);
  }
}
