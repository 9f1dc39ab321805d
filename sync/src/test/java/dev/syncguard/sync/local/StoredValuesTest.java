package dev.syncguard.sync.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.state.SyncMeta;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is stored says after which clearing it was made, and older values are not read. */
class StoredValuesTest {

  private static final String DATE = "2026-01-02T03:04:05.678Z";

  private final Map<String, String> store = new HashMap<>();
  private final StoredKeys keys = new StoredKeys(Site.LESSWRONG);
  private final StoredValues values = new StoredValues(new Stored(), keys);

  @Test
  void aValueIsReadOnlyAfterTheClearingThatItWasMadeAfter() {
    values.setRead(Set.of("a"), "0.1.one");
    values.setLoadFrom(DATE, "0.1.one");
    values.setAuthorPrefs(Map.of("Ann", 1), "0.1.one");

    assertThat(values.read("0.1.one")).containsExactly("a");
    assertThat(values.loadFrom("0.1.one")).isEqualTo(DATE);
    assertThat(values.authorPrefs("0.1.one")).containsExactly(Map.entry("Ann", 1));
    for (String other : new String[] {"", "0.2.one", "1.1.one", "0.1.two"}) {
      assertThat(values.read(other)).isEmpty();
      assertThat(values.loadFrom(other)).isEmpty();
      assertThat(values.authorPrefs(other)).isEmpty();
    }
    assertThat(values.read(null)).containsExactly("a");
    assertThat(values.loadFrom(null)).isEqualTo(DATE);
    assertThat(values.authorPrefs(null)).containsOnlyKeys("Ann");
  }

  @Test
  void beforeTheFirstClearingValuesAreStoredAsTheOriginalScriptStoresThem() {
    values.setRead(Set.of("a"), "");
    values.setLoadFrom(DATE, "");
    values.setAuthorPrefs(Map.of("Ann", -1), "");

    assertThat(store)
        .containsEntry("power-reader-read", "{\"a\":1}")
        .containsEntry("power-reader-read-from", DATE)
        .containsEntry("power-reader-author-prefs", "{\"Ann\":-1}");
    assertThat(values.read("0.1.one")).isEmpty();
    assertThat(values.loadFrom("0.1.one")).isEmpty();
    assertThat(values.authorPrefs("0.1.one")).isEmpty();
  }

  @Test
  void whateverAMarkOrAnAuthorIsCalledWhatIsStoredCanBeRead() {
    values.setRead(Set.of("__since__", "a"), "0.1.one");
    values.setAuthorPrefs(Map.of("__since__", 1, "Ann", 1), "0.1.one");
    StoredValues again = new StoredValues(new Stored(), keys);

    assertThat(again.read("0.1.one")).containsExactly("a");
    assertThat(again.authorPrefs("0.1.one")).containsOnlyKeys("Ann");
  }

  @Test
  void onlyAValueFromBeforeAClearingIsStrange() {
    SyncMeta meta = SyncMeta.fresh("device");
    for (SyncedField field : SyncedField.values()) {
      assertThat(values.isStrange(field, meta)).isFalse();
    }
    values.setRead(Set.of("a"), "");
    values.setLoadFrom(DATE, "0.1.one");
    values.setAuthorPrefs(Map.of("Ann", 1), "0.1.one");

    assertThat(values.isStrange(SyncedField.READ, meta)).isFalse();
    assertThat(values.isStrange(SyncedField.LOAD_FROM, meta)).isTrue();
    assertThat(values.isStrange(SyncedField.AUTHOR_PREFS, meta)).isTrue();
  }

  private final class Stored implements KeyValueStore {
    @Override
    public @Nullable String get(String key) {
      return store.get(key);
    }

    @Override
    public void set(String key, String value) {
      store.put(key, value);
    }

    @Override
    public void remove(String key) {
      store.remove(key);
    }

    @Override
    public void onForeignChange(Consumer<String> listener) {
      // There is nobody else.
    }
  }
}
