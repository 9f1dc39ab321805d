package dev.syncguard.sync;

/** A part of the reader's state that travels. Nothing else does. */
public enum SyncedField {
  /** Which posts and comments were read. */
  READ("read"),
  /** From which date on the reader loads. */
  LOAD_FROM("loadFrom"),
  /** Which authors the reader prefers or avoids. */
  AUTHOR_PREFS("authorPrefs");

  private final String id;

  SyncedField(String id) {
    this.id = id;
  }

  /** Returns the name in envelopes. */
  public String id() {
    return id;
  }
}
