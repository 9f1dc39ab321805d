package dev.syncguard.sync;

/** How often each field has been cleared. */
record Epochs(int read, int loadFrom, int authorPrefs) {

  static final Epochs NONE = new Epochs(0, 0, 0);

  Epochs {
    Limits.requireCounter(read);
    Limits.requireCounter(loadFrom);
    Limits.requireCounter(authorPrefs);
  }

  int of(SyncedField field) {
    return field == SyncedField.READ
        ? read
        : field == SyncedField.LOAD_FROM ? loadFrom : authorPrefs;
  }
}
