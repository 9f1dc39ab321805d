package dev.syncguard.sync;

import org.jspecify.annotations.Nullable;

/**
 * A few words between the tabs of one device: {@code localStorage} in a browser.
 *
 * <p>Only politeness depends on it, never correctness. It may be missing, full or forbidden: an implementation may throw,
 * forget what was set or return rubbish, and the engine then acts as if it were alone.
 */
public interface SharedStore {

  /** Returns the value of {@code key}, or null when there is none. */
  @Nullable
  String get(String key);

  /** Sets the value of {@code key}. */
  void set(String key, String value);

  /** Removes {@code key} and its value, if there is one. */
  void remove(String key);

  /** Returns a store that remembers nothing, for environments without one. */
  static SharedStore none() {
    return new SharedStore() {
      @Override
      public @Nullable String get(String key) {
        return null;
      }

      @Override
      public void set(String key, String value) {}

      @Override
      public void remove(String key) {}
    };
  }
}
