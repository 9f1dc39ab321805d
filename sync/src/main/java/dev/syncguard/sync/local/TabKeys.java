package dev.syncguard.sync.local;

import dev.syncguard.sync.SharedStore;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.text.Json;
import org.jspecify.annotations.Nullable;

/** What the tabs of one device tell each other about one user, as far as their {@link SharedStore} works. */
public final class TabKeys {

  private final SharedStore store;
  private final String lastPull;
  private final String lastPush;
  private final String lastReadOnlyPush;
  private final String quotaRetry;
  public final String lock;

  public TabKeys(SharedStore store, Site site, String userId) {
    this.store = store;
    String suffix = site.id() + "-" + userId;
    lastPull = "pr-sync-last-pull-at-" + suffix;
    lastPush = "pr-sync-last-push-at-" + suffix;
    lastReadOnlyPush = "pr-sync-last-read-only-push-at-" + suffix;
    quotaRetry = "pr-sync-quota-next-retry-at-" + suffix;
    lock = "pr-sync-lock-" + suffix;
  }

  /** Returns when a tab last pulled, on the wall clock, or null. */
  @Nullable
  public Long lastPullAt() {
    return time(lastPull);
  }

  public void pulledAt(long wallMillis) {
    set(lastPull, Long.toString(wallMillis));
  }

  /** Returns when a tab last pushed, on the wall clock, or null. */
  @Nullable
  public Long lastPushAt() {
    return time(lastPush);
  }

  public void pushedAt(long wallMillis) {
    set(lastPush, Long.toString(wallMillis));
  }

  /** Returns when a tab last pushed nothing but read marks, on the wall clock, or null. */
  @Nullable
  public Long lastReadOnlyPushAt() {
    return time(lastReadOnlyPush);
  }

  public void pushedReadOnlyAt(long wallMillis) {
    set(lastReadOnlyPush, Long.toString(wallMillis));
  }

  /** Returns until when no tab may ask the server, on the wall clock, or null. */
  @Nullable
  public Long quotaRetryAt() {
    return time(quotaRetry);
  }

  public void setQuotaRetryAt(long wallMillis) {
    set(quotaRetry, Long.toString(wallMillis));
  }

  public void quotaIsOver() {
    remove(quotaRetry);
  }

  private @Nullable Long time(String key) {
    String text = get(key);
    return text == null ? null : Json.whole(text);
  }

  @Nullable
  public String get(String key) {
    try {
      return store.get(key);
    } catch (RuntimeException broken) {
      return null;
    }
  }

  /** Sets a value and returns whether it is there now. */
  public boolean set(String key, String value) {
    try {
      store.set(key, value);
      return value.equals(store.get(key));
    } catch (RuntimeException broken) {
      return false;
    }
  }

  public void remove(String key) {
    try {
      store.remove(key);
    } catch (RuntimeException broken) {
      // It expires by itself.
    }
  }
}
