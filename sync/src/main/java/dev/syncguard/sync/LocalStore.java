package dev.syncguard.sync;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The reader's values and the sync meta of this device, always as stored: other tabs write them too.
 *
 * <p>A crash can fall between any two writes, so their order matters. A change is marked in the meta before its value is
 * written: a mark without a change costs a push, a change without a mark would be lost. A merge writes values first and
 * their epochs afterwards: old values under a new epoch would come back to life.
 */
final class LocalStore {

  private static final int LONGEST_DEVICE_ID = 96;

  private final KeyValueStore store;
  private final Time time;
  private final String deviceId;
  final StoredKeys keys;

  // Parsing ten thousand marks for each new one would be slow; what was read last is kept with its
  // text.
  private @Nullable String readText;
  private Set<String> readValue = Set.of();
  private @Nullable String prefsText;
  private Map<String, Integer> prefsValue = Map.of();
  private @Nullable String metaText;
  private @Nullable SyncMeta metaValue;

  LocalStore(Site site, KeyValueStore store, Time time, Random random) {
    this.store = store;
    this.time = time;
    this.keys = new StoredKeys(site);
    String stored = store.get(keys.deviceId);
    if (stored == null || stored.isEmpty() || stored.length() > LONGEST_DEVICE_ID) {
      stored = random.uuid();
      store.set(keys.deviceId, stored);
    }
    this.deviceId = stored;
  }

  String deviceId() {
    return deviceId;
  }

  String now() {
    return Iso.text(time.wallMillis());
  }

  boolean enabled() {
    String value = store.get(keys.enabled);
    return value == null
        || !(value.equals("false") || value.equals("\"false\"") || value.equals("0"));
  }

  void setEnabled(boolean enabled) {
    store.set(keys.enabled, enabled ? "true" : "false");
  }

  /** Returns the ids that were read, valid or not. Not to be changed. */
  Set<String> read() {
    String text = store.get(keys.read);
    if (text == null) {
      return Set.of();
    }
    if (!text.equals(readText)) {
      Set<String> value = new LinkedHashSet<>();
      Map<String, Object> json = Json.parseObject(text);
      if (json != null) {
        for (Map.Entry<String, Object> entry : json.entrySet()) {
          Long mark = Json.whole(entry.getValue());
          if (mark != null && mark == 1) {
            value.add(entry.getKey());
          }
        }
      }
      readText = text;
      readValue = value;
    }
    return readValue;
  }

  void setRead(Set<String> ids) {
    StringBuilder out = new StringBuilder(ids.size() * 24 + 2);
    char before = '{';
    for (String id : ids) {
      Json.quote(out.append(before), id);
      out.append(":1");
      before = ',';
    }
    String text = out.append(before == '{' ? "{}" : "}").toString();
    store.set(keys.read, text);
    readText = text;
    readValue = ids;
  }

  String loadFrom() {
    String value = store.get(keys.loadFrom);
    return value == null ? "" : value;
  }

  void setLoadFrom(String value) {
    store.set(keys.loadFrom, value);
  }

  /** Returns the preferences, whoever they name. Not to be changed. */
  Map<String, Integer> authorPrefs() {
    String text = store.get(keys.authorPrefs);
    if (text == null) {
      return Map.of();
    }
    if (!text.equals(prefsText)) {
      Map<String, Integer> value = new LinkedHashMap<>();
      Map<String, Object> json = Json.parseObject(text);
      if (json != null) {
        json.forEach((author, v) -> {
          if (v instanceof Json.Num number) {
            switch (number.text()) {
              case "1" -> value.put(author, 1);
              case "0" -> value.put(author, 0);
              case "-1" -> value.put(author, -1);
              default -> {}
            }
          }
        });
      }
      prefsText = text;
      prefsValue = value;
    }
    return prefsValue;
  }

  void setAuthorPrefs(Map<String, Integer> prefs) {
    String text = Json.write(prefs);
    store.set(keys.authorPrefs, text);
    prefsText = text;
    prefsValue = prefs;
  }

  /** Empties everything that belongs to the reader and not to sync. */
  void clearReaderKeys() {
    keys.readerKeys.forEach(store::remove);
  }

  /** Empties what travels. */
  void clearSyncedValues() {
    store.remove(keys.read);
    store.remove(keys.loadFrom);
    store.remove(keys.authorPrefs);
  }

  /** Returns the stored meta, or a new one that takes nothing for synced when there is none or a broken one. */
  SyncMeta meta() {
    String text = store.get(keys.meta);
    SyncMeta known = metaValue;
    if (known != null && text != null && text.equals(metaText)) {
      return known;
    }
    SyncMeta stored = text == null ? null : SyncMetaJson.read(text, deviceId);
    if (stored == null) {
      stored = recovered(text != null);
      setMeta(stored);
    } else {
      metaText = text;
      metaValue = stored;
    }
    return stored;
  }

  void setMeta(SyncMeta meta) {
    String text = SyncMetaJson.write(meta);
    store.set(keys.meta, text);
    metaText = text;
    metaValue = meta;
  }

  /** Changes the meta as it is stored now, not as this tab remembers it. */
  void updateMeta(UnaryOperator<SyncMeta> change) {
    SyncMeta before = meta();
    SyncMeta after = change.apply(before);
    if (!after.equals(before)) {
      setMeta(after);
    }
  }

  private SyncMeta recovered(boolean wasBroken) {
    SyncMeta meta = SyncMeta.fresh(deviceId);
    String now = now();
    for (SyncedField field : SyncedField.values()) {
      if (wasBroken || !isEmpty(field)) {
        meta = meta.with(field, meta.field(field).changed(now));
      }
    }
    Map<String, Integer> changed = new LinkedHashMap<>();
    authorPrefs().keySet().forEach(author -> changed.put(author, 1));
    return meta.withChangedAuthors(changed);
  }

  boolean isEmpty(SyncedField field) {
    return switch (field) {
      case READ -> read().isEmpty();
      case LOAD_FROM -> Limits.normalLoadFrom(loadFrom()).isEmpty();
      case AUTHOR_PREFS -> authorPrefs().isEmpty();
    };
  }

  /** Marks a field as changed here. */
  void markChanged(SyncedField field) {
    updateMeta(meta -> meta.with(field, meta.field(field).changed(now())));
  }

  /** Marks preferences as changed here. */
  void markAuthorsChanged(Set<String> authors) {
    updateMeta(meta -> {
      SyncMeta.Field field = meta.authorPrefs().changed(now());
      Map<String, Integer> changed = new LinkedHashMap<>(meta.changedAuthors());
      authors.forEach(author -> changed.put(author, field.changes()));
      return meta.with(SyncedField.AUTHOR_PREFS, field).withChangedAuthors(changed);
    });
  }

  /** Returns what this device has to say in a merge. */
  LocalState state() {
    return meta().local(read(), loadFrom(), authorPrefs());
  }

  /**
   * Takes over the merged fields of {@code scope} and returns those whose value changed. What was merged away, because
   * this device had missed a clearing, no longer counts as changed here.
   */
  Set<SyncedField> apply(SyncedFields merged, Set<SyncedField> scope) {
    Set<String> saidHere = Set.copyOf(authorPrefs().keySet());
    Set<SyncedField> changed = new LinkedHashSet<>();
    for (SyncedField field : SyncedField.values()) {
      if (scope.contains(field) && applyValue(field, merged)) {
        changed.add(field);
      }
    }
    String now = now();
    updateMeta(before -> {
      SyncMeta meta = before;
      for (SyncedField field : scope) {
        int epoch = merged.clearEpoch(field);
        if (meta.field(field).clearEpoch() != epoch) {
          meta = meta.with(field, meta.field(field).at(epoch, now));
          meta = field == SyncedField.AUTHOR_PREFS ? meta.withChangedAuthors(Map.of()) : meta;
        }
      }
      if (scope.contains(SyncedField.AUTHOR_PREFS)) {
        meta = withoutUnsaid(meta, saidHere);
      }
      int version = merged.loadFrom().version();
      return !scope.contains(SyncedField.LOAD_FROM) || meta.loadFromVersion() == version
          ? meta
          : meta.withLoadFromVersion(version, meta.syncedLoadFrom());
    });
    return changed;
  }

  // An import may have dropped a preference after it was changed here. What the remote gives us in
  // its place is not ours
  // to insist on.
  private static SyncMeta withoutUnsaid(SyncMeta meta, Set<String> saidHere) {
    if (saidHere.containsAll(meta.changedAuthors().keySet())) {
      return meta;
    }
    Map<String, Integer> changed = new LinkedHashMap<>(meta.changedAuthors());
    changed.keySet().retainAll(saidHere);
    return meta.withChangedAuthors(changed);
  }

  private boolean applyValue(SyncedField field, SyncedFields merged) {
    return switch (field) {
      case READ -> applyRead(merged.read().value());
      case LOAD_FROM -> applyLoadFrom(merged.loadFrom().value());
      case AUTHOR_PREFS -> applyAuthorPrefs(merged.authorPrefs().value());
    };
  }

  // Keys that may not travel stay here: hygiene is no reason to delete what a reader has.
  private boolean applyRead(Set<String> value) {
    Set<String> next = new LinkedHashSet<>(value);
    for (String id : read()) {
      if (!Limits.isReadKey(id)) {
        next.add(id);
      }
    }
    if (next.equals(read())) {
      return false;
    }
    setRead(next);
    return true;
  }

  private boolean applyLoadFrom(String value) {
    if (value.equals(loadFrom())
        || (value.isEmpty() && Limits.normalLoadFrom(loadFrom()).isEmpty())) {
      return false;
    }
    setLoadFrom(value);
    return true;
  }

  private boolean applyAuthorPrefs(Map<String, SyncedFields.AuthorPref> value) {
    Map<String, Integer> next = new LinkedHashMap<>();
    value.forEach((author, pref) -> next.put(author, pref.v()));
    authorPrefs().forEach((author, v) -> {
      if (!Limits.isAuthorKey(author)) {
        next.put(author, v);
      }
    });
    if (next.equals(authorPrefs())) {
      return false;
    }
    setAuthorPrefs(next);
    return true;
  }

  /**
   * Makes the values those of {@code userId} and returns whether they had to be emptied, because they were somebody
   * else's.
   */
  boolean arrive(String userId) {
    SyncMeta meta = meta();
    String last = meta.lastUserId();
    if (userId.equals(last)) {
      return false;
    }
    if (last == null) {
      setMeta(meta.withUser(userId));
      return false;
    }
    // Values first: a crash in between must not leave them to the new user.
    clearSyncedValues();
    setMeta(SyncMeta.fresh(deviceId).withUser(userId));
    return true;
  }

  /** Takes the fields of {@code scope} for pushed, as far as they did not change after {@code captured}. */
  void confirm(
      SyncMeta captured, SyncedFields pushed, Set<SyncedField> scope, Decisions decisions) {
    updateMeta(before -> {
      SyncMeta meta = before;
      for (SyncedField field : scope) {
        if (decisions.confirms(
            captured.field(field).changes(), meta.field(field).changes())) {
          meta = meta.with(field, meta.field(field).clean());
        }
      }
      if (scope.contains(SyncedField.AUTHOR_PREFS)) {
        Map<String, Integer> still = new LinkedHashMap<>(meta.changedAuthors());
        still
            .entrySet()
            .removeIf(
                entry -> entry.getValue().equals(captured.changedAuthors().get(entry.getKey())));
        meta = meta.withChangedAuthors(still);
      }
      return scope.contains(SyncedField.LOAD_FROM)
          ? meta.withLoadFromVersion(meta.loadFromVersion(), pushed.loadFrom().value())
          : meta;
    });
  }

  /** Finishes the clearing of a reset in which a crash fell. */
  void finishClearing() {
    SyncMeta.PendingReset reset = meta().pendingReset();
    if (reset != null && reset.localClearDue()) {
      clearReaderKeys();
      updateMeta(meta -> meta.withPendingReset(reset.locallyCleared()));
    }
  }

  /** Returns how many keys of this device may not travel. */
  int unfitKeys() {
    int count = 0;
    for (String id : read()) {
      count += Limits.isReadKey(id) ? 0 : 1;
    }
    for (String author : authorPrefs().keySet()) {
      count += Limits.isAuthorKey(author) ? 0 : 1;
    }
    return count;
  }
}
