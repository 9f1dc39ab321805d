package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.state.SyncedFields;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What happens when several devices push at the same time. */
@NullUnmarked
class PushConflictsTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

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
    assertThat(world.stored().read().value()).containsExactlyInAnyOrder("ours", "theirs");
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
    assertThat(world.stored().read().value()).containsExactly("abc");
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
    SyncedFields stored = world.stored();
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
    assertThat(world.stored().read().value()).containsExactlyInAnyOrder("one", "two");
    assertThat(FakeFirestore.precondition(firestore.commits().get(0)))
        .isEqualTo(Map.of("exists", false));
    assertThat(FakeFirestore.precondition(firestore.commits().get(1)))
        .isEqualTo(Map.of("exists", false));
    assertThat(firestore.commits()).hasSize(3);
  }
}
