package dev.syncguard.sync.local;

import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.state.Epochs;
import dev.syncguard.sync.state.Limits;
import dev.syncguard.sync.state.Owner;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.state.SyncNode;
import dev.syncguard.sync.text.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link SyncMeta}. Whatever is not exactly right is no meta at all. */
public final class SyncMetaJson {

  private SyncMetaJson() {}

  public static String write(SyncMeta meta) {
    Map<String, Object> fields = new LinkedHashMap<>();
    Map<String, Object> dirty = new LinkedHashMap<>();
    Map<String, Object> changes = new LinkedHashMap<>();
    Map<String, Object> since = new LinkedHashMap<>();
    for (SyncedField each : SyncedField.values()) {
      SyncMeta.Field field = meta.field(each);
      fields.put(each.id() + "UpdatedAt", field.updatedAt());
      fields.put(each.id() + "ClearEpoch", field.clearEpoch());
      dirty.put(each.id(), field.dirty());
      changes.put(each.id(), field.changes());
      since.put(each.id(), field.since());
    }
    fields.put("loadFromVersion", meta.loadFromVersion());
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schemaVersion", 1);
    json.put("deviceId", meta.deviceId());
    json.put("fields", fields);
    json.put("dirty", dirty);
    json.put("changes", changes);
    json.put("since", since);
    json.put("changedAuthors", meta.changedAuthors());
    json.put("syncedLoadFrom", meta.syncedLoadFrom());
    putIfThere(json, "lastSyncNode", meta.lastSyncNode());
    putIfThere(json, "lastUserId", meta.lastUserId());
    json.put("handovers", meta.owner().handovers());
    json.put("lastResetId", meta.resetId());
    SyncMeta.PendingReset reset = meta.pendingReset();
    if (reset != null) {
      Map<String, Object> targets = new LinkedHashMap<>();
      for (SyncedField each : SyncedField.values()) {
        targets.put(each.id() + "ClearEpoch", reset.target(each));
      }
      json.put("pendingRemoteReset", true);
      json.put("pendingRemoteResetAt", reset.at());
      json.put("pendingRemoteResetTargets", targets);
      json.put("pendingRemoteResetSawRemote", reset.sawRemote());
    }
    if (meta.clearing() != SyncMeta.Clearing.NONE) {
      json.put("pendingLocalClear", meta.clearing().name());
    }
    return Json.write(json);
  }

  private static void putIfThere(Map<String, Object> json, String name, @Nullable String value) {
    if (value != null) {
      json.put(name, value);
    }
  }

  /**
   * Returns the meta of this device, or null if {@code text} is not that.
   *
   * @param ours whether an id is one of this device
   * @param deviceId the one that it uses
   */
  public static @Nullable SyncMeta read(
      String text, Predicate<@Nullable Object> ours, String deviceId) {
    Map<String, Object> json = Json.parseObject(text);
    Map<String, Object> fields = json == null ? null : Json.object(json.get("fields"));
    Map<String, Object> dirty = json == null ? null : Json.object(json.get("dirty"));
    if (json == null || fields == null || dirty == null) {
      return null;
    }
    Map<String, Object> changes = Json.object(json.get("changes"));
    Map<String, Object> since = Json.object(json.get("since"));
    Long schema = Json.whole(json.get("schemaVersion"));
    Integer version = counter(fields, "loadFromVersion");
    Map<String, Integer> changedAuthors = authors(json.get("changedAuthors"));
    boolean fits = schema != null && schema == 1 && ours.test(json.get("deviceId"));
    if (!fits
        || changes == null
        || since == null
        || version == null
        || changedAuthors == null
        || !(json.get("syncedLoadFrom") instanceof String synced)) {
      return null;
    }
    SyncMeta meta = SyncMeta.fresh(deviceId).withChangedAuthors(changedAuthors);
    for (SyncedField each : SyncedField.values()) {
      Integer epoch = counter(fields, each.id() + "ClearEpoch");
      Integer cleared = counter(since, each.id());
      Long count = Json.whole(changes.get(each.id()));
      if (epoch == null
          || cleared == null
          || count == null
          || count > Integer.MAX_VALUE
          || !(fields.get(each.id() + "UpdatedAt") instanceof String updatedAt)
          || !(dirty.get(each.id()) instanceof Boolean isDirty)) {
        return null;
      }
      meta =
          meta.with(each, new SyncMeta.Field(updatedAt, epoch, isDirty, count.intValue(), cleared));
    }
    return pointers(meta.withDate(version, synced), json);
  }

  private static @Nullable SyncMeta pointers(SyncMeta meta, Map<String, Object> json) {
    SyncMeta result = meta;
    if (json.containsKey("lastSyncNode")) {
      if (!(json.get("lastSyncNode") instanceof String node) || !SyncNode.isValid(node)) {
        return null;
      }
      result = result.withNode(node);
    }
    Object user = json.get("lastUserId");
    Integer handovers = counter(json, "handovers");
    if (handovers == null || (user != null && (!(user instanceof String id) || id.isEmpty()))) {
      return null;
    }
    result = result.with(new Owner((String) user, handovers));
    SyncMeta.Reset reset = reset(json);
    return reset == null ? null : result.with(reset);
  }

  private static SyncMeta.@Nullable Reset reset(Map<String, Object> json) {
    SyncMeta.Clearing due = json.containsKey("pendingLocalClear")
        ? clearing(json.get("pendingLocalClear"))
        : SyncMeta.Clearing.NONE;
    if (due == null || !(json.get("lastResetId") instanceof String id)) {
      return null;
    }
    Object pending = json.get("pendingRemoteReset");
    if (pending == null || Boolean.FALSE.equals(pending)) {
      return new SyncMeta.Reset(id, null, due);
    }
    Map<String, Object> targets = Json.object(json.get("pendingRemoteResetTargets"));
    if (!Boolean.TRUE.equals(pending)
        || targets == null
        || !(json.get("pendingRemoteResetAt") instanceof String at)
        || !(json.get("pendingRemoteResetSawRemote") instanceof Boolean sawRemote)) {
      return null;
    }
    Integer read = counter(targets, "readClearEpoch");
    Integer loadFrom = counter(targets, "loadFromClearEpoch");
    Integer authorPrefs = counter(targets, "authorPrefsClearEpoch");
    if (read == null || loadFrom == null || authorPrefs == null) {
      return null;
    }
    Epochs epochs = new Epochs(read, loadFrom, authorPrefs);
    return new SyncMeta.Reset(id, new SyncMeta.PendingReset(at, epochs, sawRemote), due);
  }

  private static SyncMeta.@Nullable Clearing clearing(@Nullable Object value) {
    for (SyncMeta.Clearing each : SyncMeta.Clearing.values()) {
      if (each.name().equals(value)) {
        return each;
      }
    }
    return null;
  }

  private static @Nullable Integer counter(Map<String, Object> json, String name) {
    Long value = Json.whole(json.get(name));
    return value != null && Limits.isCounter(value) ? (Integer) value.intValue() : null;
  }

  private static @Nullable Map<String, Integer> authors(@Nullable Object value) {
    Map<String, Object> json = Json.object(value);
    if (json == null) {
      return null;
    }
    Map<String, Integer> authors = new LinkedHashMap<>();
    for (Map.Entry<String, Object> entry : json.entrySet()) {
      Long count = Json.whole(entry.getValue());
      if (count == null || count > Integer.MAX_VALUE) {
        return null;
      }
      authors.put(entry.getKey(), count.intValue());
    }
    return authors;
  }
}
