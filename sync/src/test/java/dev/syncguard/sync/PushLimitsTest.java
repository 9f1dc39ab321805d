package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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

  @Test
  @Tag("PR-PERSIST-19")
  void aServerThatFindsTheDocumentTooLargeGetsOneWithoutReadMarks() {
    World.Tab tab = device.started();
    firestore.nextCommit(
        firestore.error(400, "INVALID_ARGUMENT", "exceeds the maximum allowed size"));
    tab.read("abc");
    world.passSeconds(9);
    assertThat(world.stored().read().value()).isEmpty();
    assertThat(world.stored().read().clearEpoch()).isEqualTo(1);
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
    assertThat(world.stored().read().value())
        .as("after a success they travel again")
        .containsExactly("def");
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
}
