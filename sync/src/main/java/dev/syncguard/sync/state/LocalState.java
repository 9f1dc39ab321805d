package dev.syncguard.sync.state;

import dev.syncguard.sync.SyncedField;
import java.util.Map;
import java.util.Set;

/**
 * What a device contributes to a merge.
 *
 * @param loadFrom empty when none is chosen
 * @param changedAuthors whose preference was changed here since the last push, so that ours wins
 */
public record LocalState(
    Set<String> read,
    int readEpoch,
    String loadFrom,
    int loadFromVersion,
    int loadFromEpoch,
    Map<String, Integer> authorPrefs,
    int authorPrefsEpoch,
    Set<String> changedAuthors) {

  int clearEpoch(SyncedField field) {
    return switch (field) {
      case READ -> readEpoch;
      case LOAD_FROM -> loadFromEpoch;
      case AUTHOR_PREFS -> authorPrefsEpoch;
    };
  }
}
