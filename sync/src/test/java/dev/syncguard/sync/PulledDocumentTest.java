package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.remote.EnvelopeEncoder;
import dev.syncguard.sync.state.SyncedFields;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is made of the document that a pull finds. */
@NullUnmarked
class PulledDocumentTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  @Test
  @Tag("PR-PERSIST-12")
  @Tag("T35")
  void aNewerVersionIsLeftAloneForTheSession() {
    firestore.plantRaw(
        Site.LESSWRONG, world.forum.node(), "{\"schemaVersion\":{\"integerValue\":\"2\"}}");
    World.Tab tab = device.started();
    tab.read("abc");
    world.passMinutes(15);
    assertThat(tab.label()).isEqualTo("Sync: read-only (newer data version)");
    assertThat(tab.log).anyMatch(line -> line.contains("newer version"));
    assertThat(firestore.commits()).isEmpty();
    assertThat(device.dirty(SyncedField.READ)).isTrue();
  }

  @Test
  @Tag("PR-PERSIST-12")
  @Tag("T120")
  void aNewerVersionThatShowsUpInARaceEndsTheAttempt() {
    firestore.plant(world.forum.node(), Fixtures.none());
    World.Tab tab = device.started();
    firestore.plantRaw(
        Site.LESSWRONG, world.forum.node(), "{\"schemaVersion\":{\"integerValue\":\"3\"}}");
    tab.read("abc");
    world.passMinutes(5);
    assertThat(firestore.commits()).as("only the one that lost").hasSize(1);
    assertThat(tab.label()).isEqualTo("Sync: read-only (newer data version)");
    assertThat(device.dirty(SyncedField.READ)).isTrue();
  }

  @Test
  @Tag("PR-PERSIST-13")
  @Tag("PR-PERSIST-76")
  @Tag("PR-PERSIST-12")
  @Tag("T37")
  void aBrokenDocumentIsIgnoredAndNeverWrittenOverExceptByAReset() {
    for (String broken : List.of(
        "{}",
        "{\"schemaVersion\":{\"integerValue\":\"0\"}}",
        "{\"schemaVersion\":{\"integerValue\":\"1\"}}")) {
      firestore.plantRaw(Site.LESSWRONG, world.forum.node(), broken);
      firestore.requests.clear();
      World.Tab tab = device.started();
      assertThat(tab.label()).isEqualTo("Sync: remote-invalid (push paused; reset recommended)");
      assertThat(tab.log).anyMatch(line -> line.startsWith("sync-remote-invalid"));
      tab.read("abc");
      firestore.plant(world.forum.node(), Fixtures.read(0, "valid-again"));
      world.passMinutes(15);
      assertThat(firestore.commits()).isEmpty();
      assertThat(tab.sync.reader().read()).containsExactly("abc");
      assertThat(device.dirty(SyncedField.READ)).isTrue();
      firestore.plantRaw(Site.LESSWRONG, world.forum.node(), broken);
      tab.reset();
      world.passSeconds(2);
      assertThat(tab.resets).containsExactly(ResetOutcome.EVERYWHERE);
      assertThat(world.stored().read().value()).isEmpty();
      tab.close();
    }
  }

  @Test
  @Tag("PR-PERSIST-71")
  void rulesThatForbidReadingEndTheSession() {
    firestore.always = firestore.error(403, "PERMISSION_DENIED");
    World.Tab tab = device.started();
    tab.read("abc");
    world.passMinutes(30);
    assertThat(firestore.requests).hasSize(1);
    assertThat(tab.label()).isEqualTo("Sync: unavailable");
    assertThat(device.dirty(SyncedField.READ)).isTrue();
  }

  @Test
  @Tag("PR-PERSIST-48")
  @Tag("PR-PERSIST-73")
  void aDocumentThatExpiredIsMadeAnew() {
    World.Tab tab = device.started();
    tab.read("abc");
    world.passSeconds(9);
    firestore.delete(world.forum.node());
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    SyncedFields stored = world.stored();
    assertThat(stored.read().value()).containsExactly("abc");
    assertThat(stored.authorPrefs().value()).containsOnlyKeys("Ann");
  }

  @Test
  @Tag("PR-PERSIST-23")
  void whatIsHereAndNotThereIsPushedEvenIfNobodyMarkedIt() {
    World.Tab tab = device.started();
    tab.read("abc");
    world.passSeconds(9);
    firestore.plant(world.forum.node(), Fixtures.read(0, "only-theirs"));
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    world.passMinutes(3);
    tab.sync.pageFocused();
    world.passSeconds(50);
    assertThat(world.stored().read().value()).containsExactlyInAnyOrder("abc", "theirs");
  }

  @Test
  @Tag("PR-PERSIST-27")
  void wrongEntriesAreReportedAndNotWrittenBack() {
    String fields = EnvelopeEncoder.encode(Fixtures.envelope(Fixtures.read(0, "good")))
        .replace(
            "\"good\":{\"integerValue\":\"1\"}",
            "\"good\":{\"integerValue\":\"1\"},\"bad\":{\"integerValue\":\"2\"}");
    firestore.plantRaw(Site.LESSWRONG, world.forum.node(), fields);
    World.Tab tab = device.started();
    assertThat(tab.log).contains("1 entries of the remote state are malformed and left out");
    tab.read("more");
    world.passSeconds(9);
    assertThat(firestore.lastPushed().fields().read().value())
        .containsExactlyInAnyOrder("good", "more");
  }

  @Test
  @Tag("PR-PERSIST-08")
  @Tag("T60")
  void theLogTellsWhenRecentHidesADate() {
    firestore.plant(
        world.forum.node(), Fixtures.withLoadFrom(Fixtures.none(), 0, 1, Fixtures.DAY_1));
    device.values.put("power-reader-read-from", ReaderState.LOAD_RECENT);
    World.Tab tab = device.started();
    assertThat(tab.log)
        .containsOnlyOnce(
            "merge-loadFrom-override local=__LOAD_RECENT__ remote=ISO result=__LOAD_RECENT__");
    assertThat(tab.sync.reader().loadFrom()).isEqualTo(ReaderState.LOAD_RECENT);
  }
}
