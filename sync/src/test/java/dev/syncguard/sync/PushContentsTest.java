package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.remote.EnvelopeEncoder;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.text.Json;
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
      assertThat(FakeFirestore.write(commit))
          .containsKeys("update", "currentDocument")
          .doesNotContainKeys("delete", "transform", "updateTransforms");
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

  @Test
  @Tag("PR-PERSIST-23")
  void whatIsSaidOnceMoreIsPushedAlthoughTheTabSawItThereBefore() {
    World.Tab one = device.started();
    one.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    World.Tab two = world.device().started();
    two.sync.reader().setAuthorPreference("Ann", -1);
    world.passSeconds(9);
    one.sync.reader().setAuthorPreference("Ann", 0);
    one.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(15);
    assertThat(device.meta().dirty()).isFalse();
    assertThat(world.stored().authorPrefs().value().get("Ann").v())
        .as("the last word")
        .isEqualTo(1);
  }

  @Test
  @Tag("PR-PERSIST-02")
  void onlyWhatIsNewIsWrittenAndTheRestStaysAsItIs() {
    World.Tab tab = device.started();
    tab.sync.reader().markRead(Fixtures.ids("mark", 5_000));
    tab.sync.reader().setAuthorPreference("a`b\\c", 1);
    world.passSeconds(9);
    int whole = firestore.commits().get(0).body().length();
    tab.read("9-new");
    tab.sync.reader().setAuthorPreference("Zoë.d", -1);
    tab.sync.reader().setLoadFrom(Fixtures.DAY_2);
    world.passSeconds(60);
    int part = firestore.commits().get(1).body().length();
    assertThat(part).isLessThan(whole / 50);
    assertThat(world.stored().read().value()).hasSize(5_001).contains("9-new", "mark4999");
    assertThat(world.stored().authorPrefs().value()).containsOnlyKeys("a`b\\c", "Zoë.d");
    assertThat(world.stored().loadFrom().value()).isEqualTo(Fixtures.DAY_2);
    World.Tab elsewhere = world.device().started();
    assertThat(elsewhere.sync.reader().read()).hasSize(5_001);
    tab.reset();
    world.passSeconds(5);
    assertThat(world.stored().read().value()).isEmpty();
    assertThat(world.stored().loadFrom().value()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-12")
  void whatTheOriginalScriptKeepsInTheDocumentIsNeitherRefusedNorLost() {
    String extra = "{\"mapValue\":{\"fields\":{\"value\":{\"stringValue\":\"Explain\"}}}}";
    firestore.plantRaw(
        Site.LESSWRONG,
        world.forum.node(),
        EnvelopeEncoder.encode(Fixtures.envelope(Fixtures.full()))
            .replace("\"read\":{", "\"aiStudioPrefix\":" + extra + ",\"read\":{"));
    World.Tab tab = device.started();
    tab.read("new");
    world.passSeconds(60);
    assertThat(tab.label()).startsWith("Sync: OK");
    assertThat(world.stored().read().value()).contains("abc", "new");
    tab.reset();
    world.passSeconds(5);
    assertThat(world.stored().read().value()).isEmpty();
    assertThat(Json.write(firestore.documents.values().iterator().next().fields()))
        .contains("Explain");
  }

  @Test
  @Tag("PR-PERSIST-18")
  void anExportOfTheOriginalScriptCanBeImported() {
    World.Tab tab = device.started();
    tab.sync.importState("{\"power-reader-read\":\"{\\\"abc\\\":1}\",\"power-reader-read-from\":\""
        + Fixtures.DAY_1 + "\",\"power-reader-author-prefs\":\"{\\\"Ann\\\":-1}\","
        + "\"power-reader-view-width\":\"0\"}");
    assertThat(tab.sync.reader().read()).containsExactly("abc");
    assertThat(tab.sync.reader().loadFrom()).isEqualTo(Fixtures.DAY_1);
    assertThat(tab.sync.reader().authorPreferences()).containsEntry("Ann", -1);
  }
}
