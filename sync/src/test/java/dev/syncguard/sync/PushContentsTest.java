package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a push carries, and what counts as pushed afterwards. */
@NullUnmarked
class PushContentsTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

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
    assertThat(world.stored().read().value()).containsExactlyInAnyOrder("first", "second");
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-72")
  @Tag("PR-PERSIST-83")
  void aChangeWhileAWrongClockIsRefusedIsPushedWithTheRightOne() {
    firestore.datesAreVisible = false;
    device.clockError = 400 * 86_400_000L;
    World.Tab tab = device.started();
    firestore.nextCommit(firestore.before(() -> tab.sync.reader().setAuthorPreference("Bob", 1)));
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(7);
    firestore.datesAreVisible = true;
    world.passSeconds(60);
    assertThat(world.stored().authorPrefs().value()).containsOnlyKeys("Ann", "Bob");
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-82")
  @Tag("T131")
  void keysThatMayNotTravelStayOnTheDevice() {
    World.Tab tab = device.started();
    tab.read("fine", "not fine");
    tab.sync.reader().setAuthorPreference("__x__", 1);
    world.passSeconds(9);
    assertThat(world.stored().read().value()).containsExactly("fine");
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
    Map<String, SyncedFields.AuthorPref> stored = world.stored().authorPrefs().value();
    assertThat(stored.get("Ann").v()).isEqualTo(-1);
    assertThat(one.sync.reader().authorPreferences()).containsEntry("Ann", -1);
  }
}
