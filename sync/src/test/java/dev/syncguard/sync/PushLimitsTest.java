package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.remote.EnvelopeSize;
import dev.syncguard.sync.state.SyncedFields;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much a push may carry. */
@NullUnmarked
class PushLimitsTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

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
    SyncedFields stored = world.stored();
    assertThat(stored.read().value()).as("local epoch 0 was behind").hasSize(6_000);
    tab.sync.reader().markRead(Fixtures.ids("ours", 6_000));
    world.passSeconds(60);
    stored = world.stored();
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
    assertThat(world.stored().read().value()).isEmpty();
    assertThat(world.stored().read().clearEpoch()).isEqualTo(1);
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

  @ParameterizedTest
  @Tag("PR-PERSIST-19")
  @CsvSource({
    "413, '<html>Request Entity Too Large</html>'",
    "413, '{\"error\":{\"code\":413,\"message\":\"no\",\"status\":\"INVALID_ARGUMENT\"}}'",
    "400, '{\"error\":{\"code\":400,\"message\":\"bad page size\",\"status\":\"INVALID_ARGUMENT\"}}'",
    "400, '{\"error\":{\"code\":400,\"message\":\"too many index entries\",\"status\":\"INVALID_ARGUMENT\"}}'"
  })
  void whoeverFindsTooLargeWhatWeHaveMeasuredGetsNothingDeleted(int code, String body) {
    World.Tab other = world.device().started();
    other.read("theirs");
    world.passSeconds(9);
    World.Tab tab = device.started();
    tab.sync.reader().markRead(Fixtures.ids("m", 5_000));
    firestore.always = (request, callback) -> request.method() == Http.Method.POST
        && firestore.answer(code, body).befall(request, callback);
    for (int minute = 0; minute < 240; minute++) {
      tab.sync.userActive();
      world.passMinutes(1);
    }
    assertThat(tab.sync.reader().read()).hasSize(5_001);
    assertThat(world.stored().read().value()).containsExactly("theirs");
    assertThat(tab.label()).isEqualTo("Sync: refused as too large (retrying...)");
    assertThat(firestore.commits()).as("rarely tried again").hasSizeLessThan(12);
    firestore.always = null;
    for (int minute = 0; minute < 61; minute++) {
      tab.sync.userActive();
      world.passMinutes(1);
    }
    assertThat(world.stored().read().value()).hasSize(5_001);
    assertThat(tab.label()).startsWith("Sync: OK");
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
    assertThat(tab.label()).as("it says so").contains("read marks were cleared");
    assertThat(tab.applied).as("and shows it").contains(SyncedField.READ);
    World.Tab restored = world.device().tab();
    restored.sync.importState(tab.sync.backup().orElseThrow());
    assertThat(restored.sync.reader().read()).as("nothing is lost").isEqualTo(long64);
  }
}
