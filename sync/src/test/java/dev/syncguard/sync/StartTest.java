package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.state.SyncedFields;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a start finds, on the device and on the remote. */
@NullUnmarked
class StartTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

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
  @Tag("PR-PERSIST-66")
  @Tag("PR-PERSIST-06")
  @Tag("T38")
  void stateFromBeforeTheFirstSyncIsPushed() {
    device.values.put("power-reader-read", "{\"abc\":1}");
    device.values.put("power-reader-author-prefs", "{\"Ann\":1}");
    device.started();
    world.passSeconds(1);
    SyncedFields stored = world.stored();
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
              meta.fields().read().dirty(),
              meta.fields().loadFrom().dirty(),
              meta.fields().authorPrefs().dirty()))
          .as(text)
          .containsOnly(true);
      tab.start();
      world.passSeconds(10);
      assertThat(tab.label()).as(text).startsWith("Sync: OK");
      tab.close();
    }
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
    world.passSeconds(46);
    assertThat(world.firestore.reads())
        .extracting(Http.Request::url)
        .filteredOn(url -> url.contains(old))
        .hasSize(1);
    assertThat(tab.notices).hasSize(1);
    assertThat(world.firestore.token(old)).isEqualTo(token);
    assertThat(world.firestore.commits())
        .extracting(Http.Request::body)
        .noneMatch(body -> body.contains(old));
    assertThat(world.stored().read().value())
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
}
