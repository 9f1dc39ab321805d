package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.state.Epochs;
import dev.syncguard.sync.state.SyncNode;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whose state a device holds: nothing of it reaches another user or the other forum. */
@NullUnmarked
class WhoseStateTest {

  private final World world = new World();
  private final World.Device device = world.device();

  @Test
  @Tag("PR-PERSIST-07")
  @Tag("T44")
  void nobodyLoggedInMeansNoRequestAndNothingLost() {
    world.forum.logOut();
    World.Tab tab = device.started();
    tab.read("abc");
    world.passMinutes(30);
    assertThat(tab.outcomes).containsExactly(StartOutcome.WITHOUT_SYNC);
    assertThat(tab.label()).isEqualTo("Sync: anonymous");
    assertThat(world.firestore.requests).isEmpty();
    assertThat(world.forum.updates).isZero();
    assertThat(tab.sync.reader().read()).containsExactly("abc");
  }

  @Test
  @Tag("PR-PERSIST-07")
  void aUserWithoutAnIdIsWarnedAboutAndNotSynced() {
    world.forum.scripted.add(new ForumIdentity.Nameless());
    World.Tab tab = device.started();
    assertThat(tab.log).anyMatch(line -> line.contains("id"));
    assertThat(world.firestore.requests).isEmpty();
    assertThat(tab.label()).isEqualTo("Sync: unavailable");
  }

  @Test
  @Tag("PR-PERSIST-24")
  void aForumThatCannotBeReachedClearsNothing() {
    device.started().close();
    device.tab().read("abc");
    world.forum.scripted.add(new ForumIdentity.Unknown());
    World.Tab tab = device.started();
    assertThat(tab.label()).isEqualTo("Sync: unavailable");
    assertThat(tab.sync.reader().read()).containsExactly("abc");
    assertThat(device.meta().lastUserId()).isEqualTo("user123");
  }

  @Test
  @Tag("PR-PERSIST-34")
  @Tag("PR-PERSIST-35")
  @Tag("T69")
  void theNextReaderInheritsNeitherAnUnfinishedResetNorAnOldPlaceToLookAt() {
    device.started().close();
    String alicesNode = world.forum.node();
    world.firestore.nextCommit(world.firestore.error(503, "UNAVAILABLE"));
    device.resetPage().close();
    device.meddle(meta -> meta.withNode(alicesNode));
    assertThat(device.meta().pendingReset()).isNotNull();
    world.forum.logIn("bob", FakeForum.withSecret("bobs-secret-bobs-secret"));
    world.firestore.requests.clear();
    World.Tab bob = device.started();
    world.passMinutes(1);
    assertThat(device.meta().pendingReset()).isNull();
    assertThat(device.meta().lastSyncNode()).isNotEqualTo(alicesNode);
    assertThat(device.meta().epochs()).isEqualTo(Epochs.NONE);
    assertThat(world.firestore.requests)
        .as("bob has no document, and nobody looks for one at the old place")
        .isNotEmpty()
        .allMatch(request -> request.url().contains(world.forum.node()));
    assertThat(bob.label()).startsWith("Sync: OK");
  }

  @Test
  @Tag("PR-PERSIST-35")
  @Tag("PR-PERSIST-34")
  @Tag("T53")
  void anotherUserGetsAnEmptyDeviceAndNothingOfTheFirst() {
    World.Tab alice = device.started();
    alice.read("alices");
    alice.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    alice.read("unpushed");
    alice.close();
    String alicesNode = world.forum.node();
    world.forum.logIn("bob", FakeForum.withSecret("bobs-secret-bobs-secret"));
    world.firestore.plant(world.forum.node(), Fixtures.read(0, "bobs"));
    world.firestore.requests.clear();
    World.Tab bob = device.started();
    world.passSeconds(30);
    assertThat(bob.sync.reader().read()).containsExactly("bobs");
    assertThat(bob.sync.reader().authorPreferences()).isEmpty();
    assertThat(world.firestore.commits()).isEmpty();
    assertThat(world.firestore.stored(alicesNode).fields().read().value())
        .as("what was not pushed stays unpushed")
        .containsExactly("alices");
    assertThat(world.firestore.requests)
        .extracting(Http.Request::url)
        .noneMatch(url -> url.contains(alicesNode));
    assertThat(device.meta().lastUserId()).isEqualTo("bob");
    assertThat(device.meta().pendingReset()).isNull();
    bob.close();
    world.forum.logIn("user123", FakeForum.withSecret(FakeForum.SECRET));
    World.Tab again = device.started();
    assertThat(again.sync.reader().read()).containsExactly("alices");
    assertThat(world
            .firestore
            .stored(SyncNode.derive(Site.LESSWRONG, "bob", "bobs-secret-bobs-secret"))
            .fields()
            .read()
            .value())
        .containsExactly("bobs");
  }

  @Test
  @Tag("PR-PERSIST-35")
  void aTabOfTheFirstUserStopsWhenAnotherTabBelongsToTheSecond() {
    World.Tab alice = device.started();
    String alicesNode = world.forum.node();
    world.forum.logIn("bob", FakeForum.withSecret("bobs-secret-bobs-secret"));
    World.Tab bob = device.started();
    bob.read("bobs");
    alice.read("whose");
    world.passMinutes(20);
    assertThat(world.firestore.documents.keySet()).noneMatch(name -> name.endsWith(alicesNode));
    assertThat(alice.label()).isEqualTo("Sync: off (somebody else is logged in; reload)");
  }

  @Test
  @Tag("PR-PERSIST-35")
  void loggingOutAndInAgainLosesNothing() {
    World.Tab first = device.started();
    first.read("one");
    first.close();
    world.forum.logOut();
    World.Tab anonymous = device.started();
    anonymous.read("two");
    anonymous.close();
    world.forum.logIn("user123", FakeForum.withSecret(FakeForum.SECRET));
    device.started();
    world.passSeconds(9);
    assertThat(world.stored().read().value()).containsExactlyInAnyOrder("one", "two");
  }

  @Test
  @Tag("PR-PERSIST-03")
  void theTwoForumsKnowNothingOfEachOther() {
    World.Tab lw = device.started();
    World.Tab eaf = device.tab(Site.EA_FORUM);
    eaf.start();
    lw.read("lw");
    eaf.read("eaf");
    world.passSeconds(10);
    assertThat(world
            .firestore
            .stored(Site.LESSWRONG, world.forum.node(Site.LESSWRONG))
            .fields()
            .read()
            .value())
        .containsExactly("lw");
    assertThat(world
            .firestore
            .stored(Site.EA_FORUM, world.forum.node(Site.EA_FORUM))
            .fields()
            .read()
            .value())
        .containsExactly("eaf");
    assertThat(device.values.keySet()).contains("power-reader-read", "ea-power-reader-read");
    assertThat(device.shared.keySet())
        .contains("pr-sync-last-push-at-lw-user123", "pr-sync-last-push-at-eaf-user123");
  }

  @Test
  @Tag("PR-PERSIST-06")
  void onlyThreeFieldsTravelAndNoSecretsAtAll() {
    device.values.put("power-reader-view-width", "777");
    World.Tab tab = device.started();
    tab.read("abc");
    tab.sync.reader().setLoadFrom(Fixtures.DAY_1);
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    assertThat(world.firestore.commits()).hasSize(1);
    String body = world.firestore.commits().get(0).body();
    assertThat(body)
        .doesNotContain("user123")
        .doesNotContain(FakeForum.SECRET)
        .doesNotContain("777");
    for (String said : tab.log) {
      assertThat(said)
          .doesNotContain("user123")
          .doesNotContain(FakeForum.SECRET)
          .doesNotContain(world.forum.node());
    }
    assertThat(tab.sync.debugSummary())
        .contains(world.forum.node().substring(64))
        .doesNotContain(world.forum.node())
        .doesNotContain("user123")
        .doesNotContain(FakeForum.SECRET)
        .doesNotContain("the-api-key");
  }
}
