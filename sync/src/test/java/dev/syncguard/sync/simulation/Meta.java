package dev.syncguard.sync.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.syncguard.sync.Site;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a device has stored about its own state, read by somebody who trusts nothing else.
 *
 * @param emptying whether a reset is about to remove all values
 */
record Meta(
    Map<Kind, Integer> epochs,
    Set<Kind> dirty,
    @Nullable String user,
    Map<Kind, Integer> resetTargets,
    boolean emptying) {

  private static final String KEY = "power-reader-sync-meta";

  /** What a device knows that has none, or one that is spoilt. */
  static final Meta NONE = new Meta(Map.of(), Set.of(), null, Map.of(), false);

  static String key(Site site) {
    return site.keyPrefix() + KEY;
  }

  /** Returns the site whose meta is stored under the key, or null if it is another key. */
  static @Nullable Site siteOf(String key) {
    if (!key.endsWith(KEY)) {
      return null;
    }
    return key.equals(KEY) ? Site.LESSWRONG : Site.EA_FORUM;
  }

  static Meta of(@Nullable String text) {
    JsonNode json = text == null ? null : Forum.tryRead(text);
    if (json == null || json.path("schemaVersion").asInt() != 1) {
      return NONE;
    }
    Map<Kind, Integer> epochs = new EnumMap<>(Kind.class);
    Set<Kind> dirty = EnumSet.noneOf(Kind.class);
    Map<Kind, Integer> targets = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      epochs.put(kind, json.path("fields").path(kind.id + "ClearEpoch").asInt());
      if (json.path("dirty").path(kind.id).asBoolean()) {
        dirty.add(kind);
      }
      if (json.path("pendingRemoteReset").asBoolean()) {
        targets.put(
            kind,
            json.path("pendingRemoteResetTargets").path(kind.id + "ClearEpoch").asInt());
      }
    }
    JsonNode user = json.path("lastUserId");
    boolean emptying = json.path("pendingLocalClear").asText().equals("EVERYTHING");
    return new Meta(epochs, dirty, user.isTextual() ? user.asText() : null, targets, emptying);
  }

  /** Returns whether a reset has yet to reach the remote. */
  boolean resetPending() {
    return !resetTargets.isEmpty();
  }

  int epoch(Kind kind) {
    return epochs.getOrDefault(kind, 0);
  }
}
