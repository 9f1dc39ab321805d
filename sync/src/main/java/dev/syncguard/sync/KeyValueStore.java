package dev.syncguard.sync;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a device keeps between sessions, shared by its tabs: GM values in a browser, files on a JVM.
 *
 * <p>A write is done when the call returns and survives a crash right after it.
 */
public interface KeyValueStore {

  /** Returns the value of {@code key}, or null when there is none. */
  @Nullable
  String get(String key);

  /** Sets the value of {@code key}. */
  void set(String key, String value);

  /** Removes {@code key} and its value, if there is one. */
  void remove(String key);

  /**
   * Passes the name of each key that <em>another</em> tab changes to {@code listener}, on the engine's thread. A store
   * without other tabs may do nothing.
   */
  void onForeignChange(Consumer<String> listener);
}
