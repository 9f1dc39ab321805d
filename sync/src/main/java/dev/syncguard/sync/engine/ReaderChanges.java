package dev.syncguard.sync.engine;

/** Hears of what the reader changes, so that it gets pushed. */
public interface ReaderChanges {

  void changed();

  /** The date to load from became "whatever is recent", which is held back until a date takes its place. */
  void recentChosen();

  void recentServed();

  /** The state is somebody else's by now, so the change was not made. */
  void refused();
}
