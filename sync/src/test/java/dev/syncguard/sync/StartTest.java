package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@NullUnmarked
class StartTest {

  private final World world = new World();
  private final World.Device device = world.device();

  @Test
  @Tag("PR-PERSIST-04")
  @Tag("T41")
  void whatTheRemoteKnowsIsThereBeforeTheReaderIsShown() {
    world.firestore.plant(world.forum.node(), Fixtures.full());
    World.Tab tab = device.tab();
    String[] seen = {null};
    tab.sync.start(outcome -> seen[0] = outcome + tab.sync.reader().loadFrom());
    assertThat(tab.label()).isEqualTo("Syncing...");
    world.passSeconds(1);
    assertThat(seen[0]).isEqualTo("HYDRATED" + Fixtures.DAY_2);
    assertThat(tab.sync.reader().read()).containsExactlyInAnyOrder("abc", "def");
    assertThat(tab.sync.reader().authorPreferences())
        .isEqualTo(Map.of("Ann", 1, "Bob", -1, "Zoë", 0));
    assertThat(tab.notices).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-04")
  @Tag("PR-PERSIST-16")
  @Tag("T42")
  void afterFiveSecondsTheReaderGoesOnAndLateStateIsAnnounced() {
    world.firestore.plant(world.forum.node(), Fixtures.full());
    world.firestore.nextRead(world.firestore.delay(7_000));
    World.Tab tab = device.tab();
    tab.start();
    world.pass(4_999);
    assertThat(tab.outcomes).isEmpty();
    world.pass(1);
    assertThat(tab.outcomes).containsExactly(StartOutcome.LOCAL_FOR_NOW);
    assertThat(tab.notices).isEmpty();
    world.passSeconds(3);
    assertThat(tab.sync.reader().read()).contains("abc");
    assertThat(tab.applied)
        .contains(SyncedField.READ, SyncedField.LOAD_FROM, SyncedField.AUTHOR_PREFS);
    assertThat(tab.notices).containsExactly("Synced state applied");
    assertThat(tab.outcomes).hasSize(1);
  }

  @Test
  @Tag("PR-PERSIST-16")
  void lateStateThatChangesNothingIsNotAnnounced() {
    world.firestore.plant(world.forum.node(), Fixtures.none());
    world.firestore.nextRead(world.firestore.delay(7_000));
    World.Tab tab = device.tab();
    tab.start();
    world.passSeconds(9);
    assertThat(tab.notices).isEmpty();
    assertThat(tab.applied).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-04")
  @Tag("T50")
  @Tag("T52")
  void whenEverythingFailsTheReaderWorksAllTheSame() {
    world.firestore.always = world.firestore.fail(Http.Cause.OFFLINE);
    World.Tab tab = device.started();
    assertThat(tab.outcomes).containsExactly(StartOutcome.LOCAL_FOR_NOW);
    tab.read("abc");
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passMinutes(30);
    assertThat(tab.sync.reader().read()).containsExactly("abc");
    assertThat(tab.label()).isEqualTo("Sync: offline (retrying...)");
    world.firestore.always = null;
    tab.sync.userActive();
    world.passMinutes(3);
    assertThat(world.firestore.stored(world.forum.node()).fields().read().value())
        .containsExactly("abc");
  }

  @Test
  @Tag("PR-PERSIST-04")
  void portsThatThrowReachNobody() {
    device.http = (request, callback) -> {
      throw new IllegalStateException("blocked");
    };
    device.exclusion = (name, outcome) -> {
      throw new IllegalStateException("broken");
    };
    device.sharedIsBroken = true;
    World.Tab tab = device.started();
    tab.read("abc");
    world.passMinutes(5);
    assertThat(tab.outcomes).containsExactly(StartOutcome.LOCAL_FOR_NOW);
    assertThat(tab.sync.reader().read()).containsExactly("abc");
  }

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
  @Tag("PR-PERSIST-04")
  void aForumThatNeverAnswersDelaysTheReaderByFiveSecondsAtMost() {
    world.forum.silent = true;
    World.Tab tab = device.tab();
    tab.start();
    world.passSeconds(5);
    assertThat(tab.outcomes).containsExactly(StartOutcome.LOCAL_FOR_NOW);
    world.passSeconds(20);
    assertThat(tab.label()).isEqualTo("Sync: unavailable");
  }

  @Test
  @Tag("PR-PERSIST-68")
  void aBuildWithoutAProjectStaysLocal() {
    World.Tab tab = device.tab(SyncConfig.builder(Site.LESSWRONG).build());
    tab.start();
    tab.read("abc");
    world.passMinutes(5);
    assertThat(tab.outcomes).containsExactly(StartOutcome.WITHOUT_SYNC);
    assertThat(world.firestore.requests).isEmpty();
    assertThat(world.forum.queries).isZero();
  }

  @Test
  @Tag("PR-PERSIST-66")
  @Tag("PR-PERSIST-06")
  @Tag("T38")
  void stateFromBeforeTheFirstSyncIsPushed() {
    device.values.put("power-reader-read", "{\"abc\":1}");
    device.values.put("power-reader-author-prefs", "{\"Ann\":1}");
    device.started();
    world.passSeconds(1);
    SyncedFields stored = world.firestore.stored(world.forum.node()).fields();
    assertThat(stored.read().value()).containsExactly("abc");
    assertThat(stored.authorPrefs().value()).containsOnlyKeys("Ann");
    assertThat(world.firestore.commits()).hasSize(1);
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-66")
  @Tag("T113")
  void brokenMetaIsRebuiltWithEverythingMarked() {
    World.Tab first = device.started();
    first.close();
    String good = device.values.get("power-reader-sync-meta");
    List<String> broken = List.of(
        "",
        "rubbish",
        "[]",
        "{}",
        good.replace("\"schemaVersion\":1", "\"schemaVersion\":2"),
        good.replace("\"schemaVersion\":1,", ""),
        good.replace("\"readClearEpoch\":0", "\"readClearEpoch\":-1"),
        good.replace("\"readClearEpoch\":0", "\"readClearEpoch\":1000000001"),
        good.replace("\"readClearEpoch\":0", "\"readClearEpoch\":\"0\""),
        good.replace("\"loadFromVersion\":0", "\"loadFromVersion\":1.5"),
        good.replace("\"read\":false", "\"read\":0"),
        good.replace("\"dirty\":{", "\"dirt\":{"),
        good.replace("\"changes\":{", "\"changez\":{"),
        good.replace("\"changedAuthors\":{}", "\"changedAuthors\":[]"),
        good.replace("\"deviceId\":\"0", "\"deviceId\":\"x"),
        good.replace("\"lastUserId\":\"user123\"", "\"lastUserId\":7"),
        good.replace(
            "\"lastUserId\":\"user123\"", "\"lastUserId\":\"user123\",\"pendingRemoteReset\":true"),
        good.replace(
            "\"lastUserId\":\"user123\"",
            "\"lastUserId\":\"user123\",\"lastSyncNode\":\"elsewhere\""));
    for (String text : broken) {
      assertThat(text).isNotEqualTo(good);
      device.values.put("power-reader-sync-meta", text);
      World.Tab tab = device.tab();
      SyncMeta meta = device.meta();
      assertThat(List.of(
              meta.read().dirty(), meta.loadFrom().dirty(), meta.authorPrefs().dirty()))
          .as(text)
          .containsOnly(true);
      tab.start();
      world.passSeconds(10);
      assertThat(tab.label()).as(text).startsWith("Sync: OK");
      tab.close();
    }
  }

  @Test
  @Tag("PR-PERSIST-11")
  @Tag("PR-PERSIST-33")
  @Tag("PR-PERSIST-34")
  @Tag("T43")
  @Tag("T70")
  void afterANewSecretTheOldNodeIsLookedAtOnceAndLeftAlone() {
    World.Tab before = device.started();
    before.read("abc");
    world.passSeconds(9);
    before.close();
    String old = world.forum.node();
    assertThat(device.meta().lastSyncNode()).isEqualTo(old);
    String token = world.firestore.token(old);
    world.forum.logIn("user123", FakeForum.withSecret("a-quite-new-secret"));
    world.firestore.requests.clear();
    World.Tab tab = device.started();
    world.passSeconds(6);
    assertThat(world.firestore.reads())
        .extracting(Http.Request::url)
        .filteredOn(url -> url.contains(old))
        .hasSize(1);
    assertThat(tab.notices).hasSize(1);
    assertThat(world.firestore.token(old)).isEqualTo(token);
    assertThat(world.firestore.commits())
        .extracting(Http.Request::body)
        .noneMatch(body -> body.contains(old));
    assertThat(world.firestore.stored(world.forum.node()).fields().read().value())
        .as("this device's own state moves to the new node")
        .containsExactly("abc");
    assertThat(device.meta().lastSyncNode()).isEqualTo(world.forum.node());
    world.passMinutes(3);
    tab.sync.pageFocused();
    world.passSeconds(1);
    assertThat(world.firestore.reads())
        .extracting(Http.Request::url)
        .filteredOn(url -> url.contains(old))
        .hasSize(1);
  }

  @Test
  @Tag("PR-PERSIST-33")
  @Tag("T70")
  void aNodeThatNobodyAnsweredForIsNotRemembered() {
    device.started().close();
    assertThat(device.meta().lastSyncNode()).as("missing is not in use").isNull();
    world.firestore.always = world.firestore.fail(Http.Cause.OFFLINE);
    device.started().close();
    assertThat(device.meta().lastSyncNode()).isNull();
    world.firestore.always = null;
    world.firestore.plant(world.forum.node(), Fixtures.none());
    device.started();
    assertThat(device.meta().lastSyncNode()).isEqualTo(world.forum.node());
  }

  @Test
  @Tag("PR-PERSIST-35")
  @Tag("PR-PERSIST-34")
  @Tag("T53")
  @Tag("T69")
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
    assertThat(alice.label()).isEqualTo("Sync: unavailable");
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
    assertThat(world.firestore.stored(world.forum.node()).fields().read().value())
        .containsExactlyInAnyOrder("one", "two");
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
