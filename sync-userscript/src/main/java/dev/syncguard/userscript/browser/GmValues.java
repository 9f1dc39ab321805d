package dev.syncguard.userscript.browser;

import dev.syncguard.sync.KeyValueStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The values of the userscript manager, which all tabs of the browser share. */
public final class GmValues implements KeyValueStore {

  // Managers announce changes key by key, so each key that is used here gets listened to.
  private final Set<String> known = new HashSet<>();
  private final List<Consumer<String>> listeners = new ArrayList<>();

  @Override
  public @Nullable String get(String key) {
    know(key);
    return Gm.get(key);
  }

  @Override
  public void set(String key, String value) {
    know(key);
    Gm.set(key, value);
  }

  @Override
  public void remove(String key) {
    know(key);
    Gm.remove(key);
  }

  @Override
  public void onForeignChange(Consumer<String> listener) {
    listeners.add(listener);
  }

  private void know(String key) {
    if (known.add(key)) {
      Gm.listen(key, byAnotherTab -> {
        if (byAnotherTab) {
          listeners.forEach(listener -> listener.accept(key));
        }
      });
    }
  }
}
