package dev.syncguard.sync;

import dev.syncguard.sync.remote.Envelope;
import dev.syncguard.sync.state.LocalState;
import dev.syncguard.sync.state.SyncedFields;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** States to merge, push and refuse. */
public final class Fixtures {

  public static final String DAY_1 = "2026-01-01T00:00:00.000Z";
  public static final String DAY_2 = "2026-01-02T00:00:00.000Z";
  public static final String DAY_3 = "2026-01-03T00:00:00.000Z";

  private Fixtures() {}

  public static SyncedFields none() {
    return SyncedFields.none(DAY_1, "somebody");
  }

  public static SyncedFields read(int epoch, String... ids) {
    return withRead(none(), epoch, Set.copyOf(List.of(ids)));
  }

  public static SyncedFields withRead(SyncedFields fields, int epoch, Set<String> ids) {
    return new SyncedFields(
        new SyncedFields.Read(DAY_1, "somebody", epoch, ids),
        fields.loadFrom(),
        fields.authorPrefs());
  }

  public static SyncedFields withLoadFrom(
      SyncedFields fields, int epoch, int version, String value) {
    return new SyncedFields(
        fields.read(),
        new SyncedFields.LoadFrom(DAY_1, "somebody", version, epoch, value),
        fields.authorPrefs());
  }

  public static SyncedFields withPrefs(SyncedFields fields, int epoch, Map<String, Integer> prefs) {
    Map<String, SyncedFields.AuthorPref> value = new LinkedHashMap<>();
    prefs.forEach(
        (author, v) -> value.put(author, new SyncedFields.AuthorPref(v, 3, DAY_1, "somebody")));
    return new SyncedFields(
        fields.read(),
        fields.loadFrom(),
        new SyncedFields.AuthorPrefs(DAY_1, "somebody", epoch, value));
  }

  public static SyncedFields full() {
    return withPrefs(
        withLoadFrom(read(2, "abc", "def"), 4, 5, DAY_2), 6, Map.of("Ann", 1, "Bob", -1, "Zoë", 0));
  }

  public static Envelope envelope(SyncedFields fields) {
    return new Envelope(Site.LESSWRONG, "device", DAY_1, null, DAY_3, fields);
  }

  public static Set<String> ids(String prefix, int count) {
    Set<String> ids = new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      ids.add(prefix + i);
    }
    return ids;
  }

  static LocalState local() {
    return new LocalState(Set.of(), 0, "", 0, 0, Map.of(), 0, Set.of());
  }
}
