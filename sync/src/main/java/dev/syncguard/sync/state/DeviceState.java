package dev.syncguard.sync.state;

import dev.syncguard.sync.SyncedField;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Everything that a device stores of a reader, at one moment.
 *
 * @param read the ids that were read, valid or not
 * @param authorPrefs the preferences, whoever they name
 */
public record DeviceState(
    SyncMeta meta, Set<String> read, String loadFrom, Map<String, Integer> authorPrefs) {

  /** How many tabs can be told apart by their stamps. */
  public static final int STAMPS = 1 << 15;

  public DeviceState with(SyncMeta next) {
    return new DeviceState(next, read, loadFrom, authorPrefs);
  }

  public DeviceState withRead(Set<String> next) {
    return new DeviceState(meta, next, loadFrom, authorPrefs);
  }

  public DeviceState withLoadFrom(String next) {
    return new DeviceState(meta, read, next, authorPrefs);
  }

  public DeviceState withAuthorPrefs(Map<String, Integer> next) {
    return new DeviceState(meta, read, loadFrom, next);
  }

  /** Returns this with nothing in it that travels. */
  public DeviceState emptied() {
    return new DeviceState(meta, Set.of(), "", Map.of());
  }

  /** Returns this with a field marked as changed here. */
  public DeviceState changed(SyncedField field, String now) {
    return with(meta.with(field, meta.field(field).changed(now)));
  }

  /** Returns this with more marks, which are to be pushed. */
  public DeviceState marking(Collection<String> ids, String now) {
    Set<String> next = new LinkedHashSet<>(read);
    next.addAll(ids);
    return changed(SyncedField.READ, now).withRead(next);
  }

  /** Returns this with another date to load from, which is to be pushed. */
  public DeviceState loadingFrom(String value, String now) {
    boolean counts = !value.isEmpty() && !value.equals(meta.syncedLoadFrom());
    int version = counts ? Limits.next(meta.loadFromVersion()) : meta.loadFromVersion();
    DeviceState marked = changed(SyncedField.LOAD_FROM, now);
    return marked.with(marked.meta.withDate(version, meta.syncedLoadFrom())).withLoadFrom(value);
  }

  /** Returns this with other preferences, of which those for {@code authors} are to be pushed. */
  public DeviceState preferring(Map<String, Integer> prefs, Set<String> authors, String now) {
    DeviceState marked = changed(SyncedField.AUTHOR_PREFS, now);
    Map<String, Integer> changed = new LinkedHashMap<>(meta.changedAuthors());
    int count = marked.meta.fields().authorPrefs().changes();
    authors.forEach(author -> changed.put(author, count));
    return marked.with(marked.meta.withChangedAuthors(changed)).withAuthorPrefs(prefs);
  }

  /**
   * Returns this with the fields of {@code scope} taken for pushed, as far as they did not change after
   * {@code captured}.
   */
  public DeviceState confirmed(SyncMeta captured, SyncedFields pushed, Set<SyncedField> scope) {
    SyncMeta next = meta;
    for (SyncedField field : scope) {
      if (Decisions.confirms(captured.field(field).changes(), next.field(field).changes())) {
        next = next.with(field, next.field(field).clean());
      }
    }
    if (scope.contains(SyncedField.AUTHOR_PREFS)) {
      Map<String, Integer> still = new LinkedHashMap<>(next.changedAuthors());
      still
          .entrySet()
          .removeIf(
              entry -> entry.getValue().equals(captured.changedAuthors().get(entry.getKey())));
      next = next.withChangedAuthors(still);
    }
    return with(
        scope.contains(SyncedField.LOAD_FROM)
            ? next.withDate(next.loadFromVersion(), pushed.loadFrom().value())
            : next);
  }

  /**
   * Returns this with the changes since {@code before} counted in a way that no other tab counts them. Mere counts would be
   * the same for two changes that two tabs make before they hear of each other, and a push of one would confirm both.
   */
  public DeviceState stamped(SyncMeta before, int stamp) {
    SyncMeta next = meta;
    for (SyncedField each : SyncedField.values()) {
      SyncMeta.Field field = next.field(each);
      int count = before.field(each).changes();
      if (field.changes() != count) {
        int stamped = (count / STAMPS + 1) % STAMPS * STAMPS + stamp;
        next = next.with(
            each,
            new SyncMeta.Field(
                field.updatedAt(), field.clearEpoch(), field.dirty(), stamped, field.since()));
        if (each == SyncedField.AUTHOR_PREFS) {
          Map<String, Integer> changed = new LinkedHashMap<>(next.changedAuthors());
          changed.replaceAll((author, said) -> said == field.changes() ? stamped : said);
          next = next.withChangedAuthors(changed);
        }
      }
    }
    return with(next);
  }

  public boolean isEmpty(SyncedField field) {
    if (field == SyncedField.LOAD_FROM) {
      return Limits.normalLoadFrom(loadFrom).isEmpty();
    }
    return field == SyncedField.READ ? read.isEmpty() : authorPrefs.isEmpty();
  }

  /** Returns how many keys of this device may not travel. */
  public int unfitKeys() {
    int count = 0;
    for (String id : read) {
      count += Limits.isReadKey(id) ? 0 : 1;
    }
    for (String author : authorPrefs.keySet()) {
      count += Limits.isAuthorKey(author) ? 0 : 1;
    }
    return count;
  }

  /** Returns what this device has to say in a merge. */
  public LocalState local() {
    return new LocalState(
        read,
        meta.fields().read().clearEpoch(),
        loadFrom,
        meta.loadFromVersion(),
        meta.fields().loadFrom().clearEpoch(),
        authorPrefs,
        meta.fields().authorPrefs().clearEpoch(),
        meta.changedAuthors().keySet());
  }

  @Override
  public String toString() {
    return "DeviceState";
  }
}
