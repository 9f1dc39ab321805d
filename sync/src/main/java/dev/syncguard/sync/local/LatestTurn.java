package dev.syncguard.sync.local;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.SharedStore;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.text.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last reset or change of hands on this device, told through the store that tabs share at once.
 *
 * <p>Userscript managers pass values from tab to tab late. A tab that does not see yet that the state was emptied, or is
 * somebody else's, would bring the old state back with its next write. For as long as values may be on their way, this
 * tells it. Where there is no such store, or its word is older than that, it says nothing.
 */
final class LatestTurn {

  /** How long a value may take from tab to tab. */
  static final long PROPAGATION = 10_000;

  private final SharedStore store;
  private final Clocks clocks;
  private final String key;
  private @Nullable String told;

  LatestTurn(Site site, SharedStore store, Clocks clocks) {
    this.store = store;
    this.clocks = clocks;
    this.key = "pr-sync-latest-turn-" + site.id();
  }

  /** Tells the other tabs whose state is stored now, after which reset. */
  void tell(SyncMeta meta) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("turn", turn(meta));
    json.put("atMs", clocks.wallMillis());
    told = Json.write(json);
    try {
      store.set(key, told);
    } catch (RuntimeException broken) {
      // Then nobody is told, as where there is no such store.
    }
  }

  /** Returns whether another tab has told of something, just now, that {@code meta} does not show yet. */
  boolean isAhead(SyncMeta meta) {
    String text;
    try {
      text = store.get(key);
    } catch (RuntimeException broken) {
      return false;
    }
    if (text == null || text.equals(told)) {
      return false;
    }
    Map<String, Object> json = Json.parseObject(text);
    Long at = json == null ? null : Json.whole(json.get("atMs"));
    return json != null && at != null && isRecent(at) && !turn(meta).equals(json.get("turn"));
  }

  private boolean isRecent(long at) {
    long age = clocks.wallMillis() - at;
    return age >= 0 && age < PROPAGATION;
  }

  // No user id: what stays in this store can be read by the forum's pages.
  private static String turn(SyncMeta meta) {
    return meta.owner().handovers() + ":" + meta.resetId();
  }
}
