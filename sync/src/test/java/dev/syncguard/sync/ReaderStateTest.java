package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.sync.state.SyncedFields;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@NullUnmarked
class ReaderStateTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  @Test
  @Tag("PR-PERSIST-10")
  @Tag("T19")
  @Tag("T20")
  @Tag("T21")
  void settingTheDateLeavesTheMarksUnlessOneSaysOtherwise() {
    World.Tab tab = device.tab();
    ReaderState reader = tab.sync.reader();
    tab.read("abc");
    reader.setLoadFrom(Fixtures.DAY_1);
    assertThat(reader.read()).containsExactly("abc");
    reader.setLoadFromAndClearRead(Fixtures.DAY_2);
    assertThat(reader.read()).isEmpty();
    assertThat(reader.loadFrom()).isEqualTo(Fixtures.DAY_2);
    tab.read("def");
    reader.clearReadState();
    assertThat(reader.read()).isEmpty();
    assertThat(reader.loadFrom()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-28")
  @Tag("T12")
  @Tag("T62")
  void theVersionOfTheDateCountsItsChanges() {
    World.Tab tab = device.started();
    ReaderState reader = tab.sync.reader();
    assertThat(device.meta().loadFromVersion()).isZero();
    reader.setLoadFrom("");
    assertThat(device.meta().loadFromVersion()).isZero();
    reader.setLoadFrom(Fixtures.DAY_1);
    world.passSeconds(9);
    assertThat(firestore.lastPushed().fields().loadFrom().version()).isEqualTo(1);
    reader.setLoadFrom(Fixtures.DAY_1);
    assertThat(device.meta().fields().loadFrom().dirty()).isFalse();
    reader.setLoadFrom("");
    assertThat(device.meta().loadFromVersion()).isEqualTo(1);
    assertThat(device.meta().fields().loadFrom().dirty())
        .as("an empty date stays here")
        .isFalse();
    reader.setLoadFrom(Fixtures.DAY_2);
    world.passSeconds(9);
    assertThat(firestore.lastPushed().fields().loadFrom())
        .extracting(SyncedFields.LoadFrom::version, SyncedFields.LoadFrom::value)
        .containsExactly(2, Fixtures.DAY_2);
    tab.reset();
    world.passSeconds(2);
    assertThat(firestore.lastPushed().fields().loadFrom())
        .extracting(
            SyncedFields.LoadFrom::version,
            SyncedFields.LoadFrom::clearEpoch,
            SyncedFields.LoadFrom::value)
        .containsExactly(3, 1, "");
  }

  @Test
  @Tag("PR-PERSIST-23")
  void recentIsHeldBackUntilTheFeedIsLoaded() {
    World.Tab tab = device.started();
    ReaderState reader = tab.sync.reader();
    reader.setLoadFrom(ReaderState.LOAD_RECENT);
    world.passSeconds(20);
    reader.setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    assertThat(firestore.lastPushed().fields().loadFrom().value())
        .as("others need not wait")
        .isEmpty();
    reader.setLoadFrom(Fixtures.DAY_1);
    reader.feedLoaded();
    world.passSeconds(9);
    assertThat(firestore.lastPushed().fields().loadFrom().value()).isEqualTo(Fixtures.DAY_1);
    assertThat(firestore.commits())
        .extracting(Http.Request::body)
        .noneMatch(body -> body.contains(ReaderState.LOAD_RECENT));
    reader.setLoadFrom(ReaderState.LOAD_RECENT);
    world.passSeconds(31);
    assertThat(firestore.lastPushed().fields().loadFrom().value())
        .as("but not for ever")
        .isEqualTo(ReaderState.LOAD_RECENT);
  }

  @Test
  void wrongValuesAreRefusedAtOnce() {
    ReaderState reader = device.tab().sync.reader();
    assertThatThrownBy(() -> reader.setLoadFrom("yesterday"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> reader.setAuthorPreference("Ann", 2))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  void whatChangesNothingIsNoChange() {
    World.Tab tab = device.started();
    tab.read("abc");
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(9);
    tab.read("abc");
    tab.sync.reader().setAuthorPreference("Ann", 1);
    tab.sync.reader().setAuthorPreference("Bob", 0);
    tab.sync.reader().forgetRead(List.of("abc"));
    assertThat(tab.sync.reader().read()).isEmpty();
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  void brokenValuesOfOthersDoNoHarm() {
    device.values.put("power-reader-read", "{\"a\":1,\"b\":2,\"c\":\"1\"}");
    device.values.put("power-reader-author-prefs", "{\"Ann\":1,\"Bob\":5,\"Cid\":\"1\"}");
    World.Tab tab = device.tab();
    assertThat(tab.sync.reader().read()).containsExactly("a");
    assertThat(tab.sync.reader().authorPreferences()).isEqualTo(Map.of("Ann", 1));
    device.values.put("power-reader-read", "rubbish");
    device.values.put("power-reader-author-prefs", "[]");
    assertThat(tab.sync.reader().read()).isEmpty();
    assertThat(tab.sync.reader().authorPreferences()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-18")
  @Tag("T39")
  void whatIsExportedHereCanBeImportedThereAndTravels() {
    World.Tab tab = device.started();
    tab.read("abc");
    tab.sync.reader().setLoadFrom(Fixtures.DAY_1);
    tab.sync.reader().setAuthorPreference("Zoë", -1);
    world.passSeconds(9);
    String export = tab.sync.exportState();
    assertThat(export)
        .isEqualTo("{\"read\":{\"abc\":1},\"loadFrom\":\"" + Fixtures.DAY_1
            + "\",\"authorPrefs\":{\"Zoë\":-1}}")
        .doesNotContain("pr_sync");
    world.forum.logIn("second", FakeForum.withSecret("second-secret-second"));
    World.Device other = world.device();
    World.Tab two = other.started();
    firestore.requests.clear();
    two.sync.importState(export);
    assertThat(List.of(
            other.dirty(SyncedField.READ),
            other.dirty(SyncedField.LOAD_FROM),
            other.dirty(SyncedField.AUTHOR_PREFS)))
        .containsOnly(true);
    world.pass(7_900);
    assertThat(firestore.commits()).isEmpty();
    world.passSeconds(1);
    assertThat(firestore.commits()).hasSize(1);
    assertThat(firestore.lastPushed().fields().read().value()).containsExactly("abc");
  }

  @Test
  @Tag("PR-PERSIST-18")
  @Tag("T39")
  void anImportWhileSyncIsOffTravelsWhenItIsOnAgain() {
    World.Tab tab = device.started();
    tab.sync.setEnabled(false);
    tab.sync.importState("{\"read\":{\"abc\":1}}");
    world.passMinutes(2);
    assertThat(firestore.commits()).isEmpty();
    assertThat(device.dirty(SyncedField.READ)).isTrue();
    assertThat(device.dirty(SyncedField.LOAD_FROM)).isFalse();
    tab.sync.setEnabled(true);
    world.passSeconds(2);
    assertThat(firestore.lastPushed().fields().read().value()).containsExactly("abc");
  }

  @Test
  @Tag("PR-PERSIST-18")
  void anImportThatIsPartlyWrongIsRefusedWhole() {
    World.Tab tab = device.tab();
    tab.read("mine");
    String before = Map.copyOf(device.values).toString();
    for (String odd : List.of(
        "",
        "rubbish",
        "[]",
        "{}",
        "{\"read\":[]}",
        "{\"read\":{\"a\":2}}",
        "{\"read\":{\"a\":1},\"loadFrom\":\"soon\"}",
        "{\"read\":{\"a\":1},\"loadFrom\":5}",
        "{\"read\":{\"a\":1},\"authorPrefs\":{\"Ann\":3}}",
        "{\"read\":{\"a\":1},\"authorPrefs\":7}")) {
      assertThatThrownBy(() -> tab.sync.importState(odd))
          .as(odd)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(Map.copyOf(device.values).toString()).isEqualTo(before);
    assertThat(tab.sync.reader().read()).isEqualTo(Set.of("mine"));
  }
}
