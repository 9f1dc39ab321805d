package dev.syncguard.sync.remote;

import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.state.SyncedFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * What one envelope says otherwise than another, as a partial update: new marks travel alone, not with the thousands that
 * the document has already.
 *
 * <p>Members that neither envelope knows are in no mask, so whoever put them there finds them again.
 *
 * @param fields the new values, in Firestore's typed JSON
 * @param mask the paths that the update is about; one without a value in {@code fields} is removed
 */
record EnvelopeChanges(String fields, List<String> mask) {

  /**
   * Returns the changes that turn {@code before} into {@code after}.
   *
   * @param sound whether every entry of {@code before} made sense; otherwise whole fields are written, to be rid of those
   */
  static EnvelopeChanges between(Envelope before, Envelope after, boolean sound) {
    List<String> mask = new ArrayList<>(List.of("lastPushedBy", "lastPushedAt", "expiresAt"));
    if (before.lastPushedAtMs() != null) {
      mask.add("lastPushedAtMs");
    }
    SyncedFields old = before.fields();
    SyncedFields next = after.fields();
    SyncedFields.Read read = next.read();
    if (!sound || !next.sameContent(SyncedField.READ, old)) {
      boolean adds = sound
          && read.clearEpoch() == old.read().clearEpoch()
          && read.value().containsAll(old.read().value());
      List<String> added = new ArrayList<>();
      if (adds) {
        for (String id : read.value()) {
          if (!old.read().value().contains(id)) {
            added.add(id);
          }
        }
        read = new SyncedFields.Read(
            read.updatedAt(), read.updatedBy(), read.clearEpoch(), new LinkedHashSet<>(added));
      }
      describe(mask, "fields.read", adds, added);
    }
    SyncedFields.AuthorPrefs prefs = next.authorPrefs();
    if (!sound || !next.sameContent(SyncedField.AUTHOR_PREFS, old)) {
      boolean partly = sound && prefs.clearEpoch() == old.authorPrefs().clearEpoch();
      List<String> touched = new ArrayList<>();
      if (partly) {
        Map<String, SyncedFields.AuthorPref> was = old.authorPrefs().value();
        Map<String, SyncedFields.AuthorPref> changed = new LinkedHashMap<>();
        prefs.value().forEach((author, pref) -> {
          if (!pref.equals(was.get(author))) {
            changed.put(author, pref);
            touched.add(author);
          }
        });
        for (String author : was.keySet()) {
          if (!prefs.value().containsKey(author)) {
            touched.add(author);
          }
        }
        prefs = new SyncedFields.AuthorPrefs(
            prefs.updatedAt(), prefs.updatedBy(), prefs.clearEpoch(), changed);
      }
      describe(mask, "fields.authorPrefs", partly, touched);
    }
    if (!next.sameContent(SyncedField.LOAD_FROM, old)) {
      mask.add("fields.loadFrom");
    }
    Envelope partial = new Envelope(
        after.site(),
        after.lastPushedBy(),
        after.lastPushedAt(),
        null,
        after.expiresAt(),
        new SyncedFields(read, next.loadFrom(), prefs));
    return new EnvelopeChanges(EnvelopeEncoder.encode(partial, mask), mask);
  }

  private static void describe(List<String> mask, String field, boolean partly, List<String> keys) {
    if (!partly) {
      mask.add(field);
      return;
    }
    mask.add(field + ".updatedAt");
    mask.add(field + ".updatedBy");
    mask.add(field + ".clearEpoch");
    for (String key : keys) {
      mask.add(field + ".value.`" + key.replace("\\", "\\\\").replace("`", "\\`") + "`");
    }
  }
}
