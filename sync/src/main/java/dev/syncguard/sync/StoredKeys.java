package dev.syncguard.sync;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of the device's store for one site. */
final class StoredKeys {

  final String read;
  final String loadFrom;
  final String authorPrefs;
  final String meta;
  final String deviceId;
  final String enabled;
  final String quota;
  final String backup;
  final String operator;

  /** What belongs to the reader and not to sync, and is emptied by a reset. */
  final List<String> readerKeys;

  StoredKeys(Site site) {
    String prefix = site.keyPrefix();
    read = prefix + "power-reader-read";
    loadFrom = prefix + "power-reader-read-from";
    authorPrefs = prefix + "power-reader-author-prefs";
    meta = prefix + "power-reader-sync-meta";
    deviceId = prefix + "power-reader-device-id";
    enabled = prefix + "power-reader-sync-enabled";
    quota = prefix + "power-reader-sync-quota-meta";
    backup = prefix + "power-reader-sync-backup";
    operator = prefix + "power-reader-sync-operator";
    readerKeys = List.of(
        read,
        loadFrom,
        authorPrefs,
        backup,
        prefix + "power-reader-view-width",
        prefix + "power-reader-ai-studio-prefix",
        prefix + "helpCollapsed");
  }

  /** Returns the field whose value {@code key} holds, or null. */
  @Nullable
  SyncedField fieldOf(String key) {
    if (key.equals(read)) {
      return SyncedField.READ;
    }
    if (key.equals(loadFrom)) {
      return SyncedField.LOAD_FROM;
    }
    return key.equals(authorPrefs) ? SyncedField.AUTHOR_PREFS : null;
  }
}
