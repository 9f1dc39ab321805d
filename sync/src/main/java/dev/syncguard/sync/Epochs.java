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
    return switch (field) {
      case READ -> read;
      case LOAD_FROM -> loadFrom;
      case AUTHOR_PREFS -> authorPrefs;
    };
  }
}
