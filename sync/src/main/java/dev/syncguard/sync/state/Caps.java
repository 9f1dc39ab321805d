package dev.syncguard.sync.state;

import dev.syncguard.sync.state.SyncedFields.AuthorPref;
import dev.syncguard.sync.text.Iso;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keeps merged state within what a document may hold: too many read marks are all cleared, old preferences dropped. */
public final class Caps {

  // By moment, then by writer, then by author: the same on every device.
  private static final Comparator<Map.Entry<String, AuthorPref>> OLDEST_FIRST =
      Comparator.<Map.Entry<String, AuthorPref>>comparingLong(
              entry -> Iso.micros(entry.getValue().updatedAt()))
          .thenComparing(entry -> entry.getValue().updatedBy())
          .thenComparing(Map.Entry::getKey);

  private Caps() {}

  /** Returns {@code fields} if they fit, otherwise fields that do. */
  public static SyncedFields enforce(
      SyncedFields fields, int readCap, int authorCap, String writerId, String now) {
    SyncedFields fitting = fields;
    if (fields.read().value().size() > readCap) {
      fitting = clearRead(fitting, writerId, now);
    }
    if (fields.authorPrefs().value().size() > authorCap) {
      fitting = compactAuthors(fitting, authorCap, writerId, now);
    }
    return fitting;
  }

  /** Returns {@code fields} without read marks, in a new epoch, so that the other devices drop theirs too. */
  public static SyncedFields clearRead(SyncedFields fields, String writerId, String now) {
    int epoch = Limits.next(fields.read().clearEpoch());
    return new SyncedFields(
        new SyncedFields.Read(now, writerId, epoch, Set.of()),
        fields.loadFrom(),
        fields.authorPrefs());
  }

  private static SyncedFields compactAuthors(
      SyncedFields fields, int cap, String writerId, String now) {
    SyncedFields.AuthorPrefs prefs = fields.authorPrefs();
    List<Map.Entry<String, AuthorPref>> oldest = new ArrayList<>(prefs.value().entrySet());
    oldest.sort(Comparator.<Map.Entry<String, AuthorPref>>comparingInt(
            entry -> entry.getValue().v() == 0 ? 0 : 1)
        .thenComparing(OLDEST_FIRST));
    Map<String, AuthorPref> kept = new LinkedHashMap<>(prefs.value());
    for (int i = 0; kept.size() > cap; i++) {
      kept.remove(oldest.get(i).getKey());
    }
    return new SyncedFields(
        fields.read(),
        fields.loadFrom(),
        new SyncedFields.AuthorPrefs(now, writerId, prefs.clearEpoch(), kept));
  }
}
