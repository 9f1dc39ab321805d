package dev.syncguard.sync.local;

import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncedField;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of the device's store for one site. */
public final class StoredKeys {

  final String read;
  final String loadFrom;
  final String authorPrefs;
  public final String meta;
  final String deviceId;
  public final String enabled;
  public final String quota;
  public final String backup;
  public final String operator;

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
  public SyncedField fieldOf(String key) {
    if (key.equals(read)) {
      return SyncedField.READ;
    }
    if (key.equals(loadFrom)) {
      return SyncedField.LOAD_FROM;
    }
    return key.equals(authorPrefs) ? SyncedField.AUTHOR_PREFS : null;
  }
}
