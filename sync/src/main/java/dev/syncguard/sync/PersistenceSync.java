package dev.syncguard.sync;

import java.util.function.Consumer;

/**
 * Keeps a reader's state equal on all of their devices: one state machine that starts, pulls, merges, pushes what
 * changed, and resets.
 *
 * <p>One instance lives as long as one tab, or one run of a program. It never blocks, and nothing it does wrong reaches
 * the reader: without a network, a secret or an account the {@linkplain #reader reader's state} works all the same. Used
 * by one thread.
 */
@SuppressWarnings("DoNotCallSuggester") // until the engine is built
public final class PersistenceSync {

  /** Creates the engine. Nothing is sent before {@link #start} or {@link #reset}. */
  public PersistenceSync(SyncConfig config, SyncPorts ports) {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Returns the state of the reader on this device. */
  public ReaderState reader() {
    throw new UnsupportedOperationException("not built yet");
  }

  /**
   * Finds out who is reading, brings in what other devices know, and keeps syncing.
   *
   * @param ready called once, after at most five seconds, when the reader can be shown
   */
  public void start(Consumer<StartOutcome> ready) {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Does the same for a page that has already asked the forum who is reading. */
  public void start(ForumIdentity.Answer known, Consumer<StartOutcome> ready) {
    throw new UnsupportedOperationException("not built yet");
  }

  /**
   * Empties the reader's state here and, at once or as soon as possible, everywhere. Started or not, switched on or off:
   * this is what {@code /reader/reset} does, and afterwards the page must be loaded anew.
   */
  public void reset(Consumer<ResetOutcome> done) {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Pulls now if that is allowed, whatever the age of the last pull, and says when it is over. */
  public void pull(Runnable done) {
    throw new UnsupportedOperationException("not built yet");
  }

  /**
   * Pushes what has changed without waiting for more changes, as soon as limits and quotas allow, and says when that
   * push is over or when there will be none for now.
   */
  public void flush(Runnable done) {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Stops all timers and ignores what is still under way. Unpushed changes stay marked for the next session. */
  public void stop() {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Returns whether the reader has left sync switched on. */
  public boolean isEnabled() {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Switches sync on or off, now and for later sessions. Nothing is deleted, unpushed changes are kept. */
  public void setEnabled(boolean enabled) {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Says that the page can be seen. */
  public void pageVisible() {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Says that the page can no longer be seen, perhaps for good. */
  public void pageHidden() {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Says that the window got the focus. */
  public void pageFocused() {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Says that the reader did something: moved, scrolled, typed. */
  public void userActive() {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Returns the state of the reader as a JSON object, without anything that belongs to sync. */
  public String exportState() {
    throw new UnsupportedOperationException("not built yet");
  }

  /**
   * Replaces the parts of the reader's state that {@code json} holds and marks them for the next push.
   *
   * @throws IllegalArgumentException if any of it is wrong; then nothing has changed
   */
  public void importState(String json) {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Returns how sync is doing right now. */
  public SyncStatus status() {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Returns some lines for a bug report, without anything that must stay secret. */
  public String debugSummary() {
    throw new UnsupportedOperationException("not built yet");
  }
}
