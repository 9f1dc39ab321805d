package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.remote.EnvelopeEncoder;
import dev.syncguard.sync.state.SyncedFields;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Work that began before the state of a device became another one: it must come to nothing. */
@NullUnmarked
class LateWorkTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  private String logInAsBob() {
    world.forum.logIn("bob", FakeForum.withSecret("bobs-secret-bobs-secret"));
    return world.forum.node();
  }

  @Test
  @Tag("PR-PERSIST-35")
  void whatTheFirstReadersTabSaysAfterTheSecondHasLoggedInReachesNobodysDocument() {
    World.Tab alice = device.started();
    String bobs = logInAsBob();
    World.Tab bob = device.started();
    bob.read("bobs");
    alice.read("alices");
    alice.sync.reader().setAuthorPreference("Ann", 1);
    alice.sync.reader().setLoadFrom(Fixtures.DAY_2);
    world.passMinutes(20);
    SyncedFields stored = firestore.stored(bobs).fields();
    assertThat(stored.read().value()).containsExactly("bobs");
    assertThat(stored.authorPrefs().value()).isEmpty();
    assertThat(stored.loadFrom().value()).isEmpty();
    assertThat(bob.sync.reader().read()).containsExactly("bobs");
    assertThat(alice.notices).as("she is told, once").hasSize(1);
    assertThat(alice.label()).contains("somebody else is logged in");
  }

  @Test
  @Tag("PR-PERSIST-35")
  void aTabThatIsNotSyncedCannotWriteForTheNextReaderEither() {
    device.started().close();
    world.forum.scripted.add(new ForumIdentity.Unknown());
    World.Tab alice = device.started();
    logInAsBob();
    World.Tab bob = device.started();
    alice.read("alices");
    alice.sync.reader().forgetRead(List.of("x"));
    assertThat(bob.sync.reader().read()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-35")
  void anAnswerFromBeforeTheSecondReaderLoggedInDoesNotTakeTheDeviceBack() {
    device.started().close();
    World.Tab late = device.tab();
    ForumIdentity.User alice =
        new ForumIdentity.User("user123", FakeForum.withSecret(FakeForum.SECRET));
    logInAsBob();
    World.Tab bob = device.started();
    bob.read("bobs");
    late.sync.start(alice, late.outcomes::add);
    world.passSeconds(5);
    assertThat(bob.sync.reader().read()).containsExactly("bobs");
    assertThat(device.meta().lastUserId()).isEqualTo("bob");
  }

  @Test
  @Tag("PR-PERSIST-35")
  void aPageThatWasMadeForTheFirstReaderDoesNotTakeTheDeviceBack() {
    device.started().close();
    logInAsBob();
    World.Tab bob = device.started();
    bob.read("bobs");
    World.Tab cached = device.tab();
    cached.sync.start(
        new ForumIdentity.User("user123", FakeForum.withSecret(FakeForum.SECRET)),
        cached.outcomes::add);
    world.passSeconds(5);
    assertThat(device.meta().lastUserId()).isEqualTo("bob");
    assertThat(cached.sync.reader().read()).containsExactly("bobs");
  }

  @Test
  @Tag("PR-PERSIST-35")
  void anAnswerThatWasOnItsWayWhenTheSecondReaderLoggedInOnlyMakesTheTabAskAgain() {
    device.started().close();
    World.Tab late = device.tab();
    World.Tab bob = device.tab();
    logInAsBob();
    bob.start();
    world.pass(2);
    world.forum.scripted.add(
        new ForumIdentity.User("user123", FakeForum.withSecret(FakeForum.SECRET)));
    late.start();
    world.passSeconds(5);
    assertThat(device.meta().owner().handovers()).as("from Alice to Bob").isEqualTo(1);
    assertThat(device.meta().lastUserId()).isEqualTo("bob");
  }

  @Test
  @Tag("PR-PERSIST-35")
  @Tag("PR-PERSIST-72")
  void aPushFromAnEarlierVisitConfirmsNothingOfALaterOne() {
    World.Tab before = device.started();
    answerNextCommitAfter(6_000);
    before.read("one");
    world.passSeconds(9);
    logInAsBob();
    device.started().close();
    world.forum.logIn("user123", FakeForum.withSecret(FakeForum.SECRET));
    World.Tab again = device.started();
    again.read("two");
    again.close();
    world.passSeconds(7);
    assertThat(device.dirty(SyncedField.READ)).as("two is in no document yet").isTrue();
  }

  /** Lets the next commit land at once, but its answer come late. */
  private void answerNextCommitAfter(long millis) {
    firestore.nextCommit((request, callback) -> {
      firestore.send(request, reply -> world.schedule(millis, () -> callback.accept(reply)));
      return true;
    });
  }

  private World.Tab withPendingReset() {
    firestore.plant(world.forum.node(), Fixtures.full());
    device.started().close();
    firestore.nextCommit(firestore.error(503, "UNAVAILABLE"));
    World.Tab page = device.resetPage();
    page.close();
    return page;
  }

  @Test
  @Tag("PR-PERSIST-39")
  void theLateReplayOfOneResetDoesNotTakeBackTheEpochOfTheNext() {
    withPendingReset();
    answerNextCommitAfter(8_000);
    World.Tab slow = device.tab();
    slow.start();
    world.passSeconds(1);
    World.Tab page = device.tab();
    page.reset();
    world.passSeconds(2);
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    int epoch = world.stored().read().clearEpoch();
    page.close();
    World.Tab next = device.started();
    next.read("after");
    world.passSeconds(60);
    assertThat(device.meta().field(SyncedField.READ).clearEpoch()).isEqualTo(epoch);
    assertThat(next.sync.reader().read()).containsExactly("after");
    assertThat(world.stored().read().value()).containsExactly("after");
  }

  @Test
  @Tag("PR-PERSIST-30")
  @Tag("PR-PERSIST-39")
  void theLateReplayOfOneResetDoesNotPassForTheNext() {
    withPendingReset();
    answerNextCommitAfter(13_000);
    World.Tab slow = device.tab();
    slow.start();
    world.passSeconds(1);
    World.Tab elsewhere = world.device().started();
    elsewhere.read("between");
    world.passSeconds(9);
    World.Tab page = device.tab();
    firestore.nextRead(firestore.fail(Http.Cause.OFFLINE));
    page.reset();
    world.pass(100);
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
    page.close();
    world.passSeconds(5);
    slow.close();
    device.started();
    world.passMinutes(1);
    assertThat(world.stored().read().value()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-65")
  void whatATabSawBeforeABlindResetDoesNotComeBackThroughItsNextPush() {
    firestore.plant(world.forum.node(), Fixtures.withRead(Fixtures.full(), 9, Set.of("old")));
    World.Tab tab = device.started();
    assertThat(tab.sync.reader().read()).containsExactly("old");
    device.values.put("power-reader-sync-meta", "lost");
    String profile = world.forum.overrides;
    world.forum.logIn("user123", "{}");
    device.resetPage().close();
    world.forum.logIn("user123", profile);
    World.Tab replaying = device.started();
    world.passSeconds(5);
    tab.read("new");
    world.passMinutes(2);
    assertThat(world.stored().read().value()).doesNotContain("old");
    assertThat(replaying.sync.reader().read()).doesNotContain("old");
  }

  @Test
  @Tag("PR-PERSIST-12")
  void aResetLeavesADocumentOfANewerVersionAloneAndSaysWhatToDo() {
    World.Tab tab = device.started();
    tab.read("kept");
    world.passSeconds(9);
    plantNewer();
    String token = firestore.token(world.forum.node());
    World.Tab page = device.resetPage();
    assertThat(page.resets).extracting(Enum::name).containsExactly("REFUSED");
    assertThat(firestore.token(world.forum.node())).isEqualTo(token);
    assertThat(page.sync.reader().read()).as("nothing has changed here").containsExactly("kept");
    assertThat(page.notices).anyMatch(text -> text.contains("Update"));
  }

  @Test
  @Tag("PR-PERSIST-12")
  void theReplayOfAResetLeavesADocumentOfANewerVersionAlone() {
    withPendingReset();
    plantNewer();
    String token = firestore.token(world.forum.node());
    World.Tab tab = device.started();
    world.passMinutes(5);
    assertThat(firestore.token(world.forum.node())).isEqualTo(token);
    assertThat(tab.label()).isEqualTo("Sync: read-only (newer data version)");
    assertThat(device.meta().pendingReset()).as("it waits for the update").isNotNull();
  }

  private void plantNewer() {
    firestore.plantRaw(
        Site.LESSWRONG,
        world.forum.node(),
        EnvelopeEncoder.encode(Fixtures.envelope(Fixtures.full()))
            .replace(
                "\"schemaVersion\":{\"integerValue\":\"1\"}",
                "\"schemaVersion\":{\"integerValue\":\"2\"}"));
  }
}
