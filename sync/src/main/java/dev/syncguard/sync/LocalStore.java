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

  // Parsing ten thousand marks for each new one would be slow: what was read last is kept, with the
  // text it was read from.
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
    store.remove(keys.backup);
  }

  /** Keeps a copy of the reader's state that will be merged away; a later copy takes its place. */
  void backUp(String state) {
    store.set(keys.backup, state);
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
    finishClearing();
    return meta().local(read(), loadFrom(), authorPrefs());
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
  void confirm(SyncMeta captured, SyncedFields pushed, Set<SyncedField> scope) {
    updateMeta(before -> {
      SyncMeta meta = before;
      for (SyncedField field : scope) {
        if (Decisions.confirms(
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

  /** Empties the read marks, unpushed ones included, and begins a new epoch with that. */
  void clearRead(int epoch) {
    // The meta first: a crash must not take marks away without the epoch that explains it.
    updateMeta(meta -> meta.with(SyncedField.READ, meta.read().changed(now()).at(epoch, now()))
        .withClearing(SyncMeta.Clearing.READ_MARKS));
    finishClearing();
  }

  /** Finishes a clearing in which a crash fell. */
  void finishClearing() {
    switch (meta().clearing()) {
      case NONE -> {
        return;
      }
      case READ_MARKS -> setRead(keysThatStay());
      case EVERYTHING -> clearReaderKeys();
    }
    updateMeta(meta -> meta.withClearing(SyncMeta.Clearing.NONE));
  }

  // Keys that may not travel stay here: hygiene is no reason to delete what a reader has.
  private Set<String> keysThatStay() {
    Set<String> stay = new LinkedHashSet<>(read());
    stay.removeIf(Limits::isReadKey);
    return stay;
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
