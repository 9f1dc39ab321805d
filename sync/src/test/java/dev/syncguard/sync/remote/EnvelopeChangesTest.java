package dev.syncguard.sync.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.Fixtures;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.state.SyncedFields;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an update names: no more than what has changed, and all of that. */
class EnvelopeChangesTest {

  private static final List<String> ALWAYS = List.of("lastPushedBy", "lastPushedAt", "expiresAt");

  private static List<String> changed(SyncedFields before, SyncedFields after, boolean sound) {
    List<String> mask = EnvelopeChanges.between(
            Fixtures.envelope(before), Fixtures.envelope(after), sound)
        .mask();
    assertThat(mask).startsWith(ALWAYS.toArray(new String[0]));
    return mask.subList(ALWAYS.size(), mask.size());
  }

  private static SyncedFields prefs(int epoch, Map<String, Integer> prefs) {
    return Fixtures.withPrefs(Fixtures.none(), epoch, prefs);
  }

  @Test
  void whatIsTheSameIsNotNamed() {
    assertThat(changed(Fixtures.full(), Fixtures.full(), true)).isEmpty();
  }

  @Test
  void whateverMadeNoSenseIsWrittenWhole() {
    assertThat(changed(Fixtures.full(), Fixtures.full(), false))
        .containsExactly("fields.read", "fields.authorPrefs");
    assertThat(changed(Fixtures.read(1, "a"), Fixtures.read(1, "a", "b"), false))
        .containsExactly("fields.read", "fields.authorPrefs");
  }

  @Test
  void newMarksTravelAlone() {
    assertThat(changed(Fixtures.read(1, "a"), Fixtures.read(1, "a", "b"), true))
        .isNotEmpty()
        .allMatch(path -> path.startsWith("fields.read."))
        .anyMatch(path -> path.endsWith(".value.`b`"))
        .noneMatch(path -> path.endsWith(".value.`a`"));
  }

  @Test
  void marksThatAreGoneOrOfAnotherEpochAreWrittenWhole() {
    assertThat(changed(Fixtures.read(1, "a", "b"), Fixtures.read(1, "b"), true))
        .containsExactly("fields.read");
    assertThat(changed(Fixtures.read(1, "a"), Fixtures.read(2, "a", "b"), true))
        .containsExactly("fields.read");
  }

  @Test
  void ofPreferencesThoseTravelThatAreOthersNewOrGone() {
    assertThat(changed(
            prefs(1, Map.of("Ann", 1, "Bob", 1, "Cid", 1)),
            prefs(1, Map.of("Ann", 1, "Bob", -1, "Eve", 1)),
            true))
        .isNotEmpty()
        .allMatch(path -> path.startsWith("fields.authorPrefs."))
        .anyMatch(path -> path.contains("Bob"))
        .anyMatch(path -> path.contains("Cid"))
        .anyMatch(path -> path.contains("Eve"))
        .noneMatch(path -> path.contains("Ann"));
    assertThat(changed(prefs(1, Map.of("Ann", 1)), prefs(2, Map.of("Ann", 1, "Bob", 1)), true))
        .containsExactly("fields.authorPrefs");
  }

  @Test
  void theDateTravelsWhole() {
    SyncedFields dated = Fixtures.withLoadFrom(Fixtures.none(), 1, 1, Fixtures.DAY_2);
    assertThat(changed(Fixtures.none(), dated, true)).containsExactly("fields.loadFrom");
  }

  @Test
  void whatOnlyOldVersionsWroteIsRemoved() {
    Envelope old =
        new Envelope(Site.LESSWRONG, "device", Fixtures.DAY_1, 7L, Fixtures.DAY_3, Fixtures.none());
    assertThat(EnvelopeChanges.between(old, Fixtures.envelope(Fixtures.none()), true)
            .mask())
        .containsExactly("lastPushedBy", "lastPushedAt", "expiresAt", "lastPushedAtMs");
  }
}
