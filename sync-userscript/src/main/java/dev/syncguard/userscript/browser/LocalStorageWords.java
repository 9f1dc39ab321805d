package dev.syncguard.userscript.browser;

import dev.syncguard.sync.SharedStore;
import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;

/** Words between tabs in the forum's {@code localStorage}. Where that is forbidden or full it throws, as it may. */
public final class LocalStorageWords implements SharedStore {

  @Override
  public @Nullable String get(String key) {
    return getItem(key);
  }

  @Override
  public void set(String key, String value) {
    setItem(key, value);
  }

  @Override
  public void remove(String key) {
    removeItem(key);
  }

  @JSBody(params = "key", script = "return localStorage.getItem(key);")
  private static native @Nullable String getItem(String key);

  @JSBody(
      params = {"key", "value"},
      script = "localStorage.setItem(key, value);")
  private static native void setItem(String key, String value);

  @JSBody(params = "key", script = "localStorage.removeItem(key);")
  private static native void removeItem(String key);
}
