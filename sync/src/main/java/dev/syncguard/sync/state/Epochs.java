package dev.syncguard.sync.state;

import dev.syncguard.sync.SyncedField;

/** How often each field has been cleared. */
public record Epochs(int read, int loadFrom, int authorPrefs) {

  public static final Epochs NONE = new Epochs(0, 0, 0);

  public Epochs {
    Limits.requireCounter(read);
    Limits.requireCounter(loadFrom);
    Limits.requireCounter(authorPrefs);
  }

  public int of(SyncedField field) {
    return field == SyncedField.READ
        ? read
        : field == SyncedField.LOAD_FROM ? loadFrom : authorPrefs;
  }
}
