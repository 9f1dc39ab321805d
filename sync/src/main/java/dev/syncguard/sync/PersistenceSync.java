package dev.syncguard.sync;

import dev.syncguard.sync.engine.Engine;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps a reader's state equal on all of their devices: starts, pulls, merges, pushes what changed, and resets.
 *
 * <p>One instance lives as long as one tab, or one run of a program. It never blocks, and nothing it does wrong reaches
 * the reader: without a network, a secret or an account the {@linkplain #reader reader's state} works all the same. Used
 * by one thread.
 */
public final class PersistenceSync {

  private final Engine engine;
  private final ReaderState reader;

  /** Creates the engine. Nothing is sent before {@link #start} or {@link #reset}. */
  public PersistenceSync(SyncConfig config, SyncPorts ports) {
    engine = new Engine(config.settings, ports);
    reader = new ReaderState(engine);
  }

  /** Returns the state of the reader on this device. */
  public ReaderState reader() {
    return reader;
  }

  /**
   * Finds out who is reading, brings in what other devices know, and keeps syncing.
   *
   * @param ready called once, after at most five seconds, when the reader can be shown
   */
  public void start(Consumer<StartOutcome> ready) {
    engine.start(null, ready);
  }

  /** Does the same for a page that has already asked the forum who is reading. */
  public void start(ForumIdentity.Answer known, Consumer<StartOutcome> ready) {
    engine.start(known, ready);
  }

  /**
   * Empties the reader's state here and, at once or as soon as possible, everywhere. Started or not, switched on or off:
   * this is what {@code /reader/reset} does, and afterwards the page must be loaded anew.
   */
  public void reset(Consumer<ResetOutcome> done) {
    engine.reset(done);
  }

  /** Pulls now if that is allowed, whatever the age of the last pull, and says when it is over. */
  public void pull(Runnable done) {
    engine.pull(done);
  }

  /**
   * Pushes what has changed without waiting for more changes, as soon as limits and quotas allow, and says when that
   * push is over or when there will be none for now.
   */
  public void flush(Runnable done) {
    engine.flush(done);
  }

  /** Stops all timers and ignores what is still under way. Unpushed changes stay marked for the next session. */
  public void stop() {
    engine.stop();
  }

  /** Returns whether the reader has left sync switched on. */
  public boolean isEnabled() {
    return engine.isEnabled();
  }

  /** Switches sync on or off, now and for later sessions. Nothing is deleted, unpushed changes are kept. */
  public void setEnabled(boolean enabled) {
    engine.setEnabled(enabled);
  }

  /** Says that the page can be seen. */
  public void pageVisible() {
    engine.pageVisible();
  }

  /** Says that the page can no longer be seen, perhaps for good; or, before the start, that it cannot be seen yet. */
  public void pageHidden() {
    engine.pageHidden();
  }

  /** Says that the window got the focus. */
  public void pageFocused() {
    engine.pageFocused();
  }

  /** Says that the reader did something: moved, scrolled, typed. */
  public void userActive() {
    engine.userActive();
  }

  /** Returns the state of the reader as a JSON object, without anything that belongs to sync. */
  public String exportState() {
    return engine.exportState();
  }

  /**
   * Returns what was kept of the reader's state when marks had to be cleared here, as {@link #exportState} would have
   * said it then.
   */
  public Optional<String> backup() {
    return engine.backup();
  }

  /**
   * Replaces the parts of the reader's state that {@code json} holds and marks them for the next push.
   *
   * @throws IllegalArgumentException if any of it is wrong; then nothing has changed
   * @throws IllegalStateException if somebody else is reading by now; then nothing has changed
   */
  public void importState(String json) {
    engine.importState(json);
  }

  /** Returns how sync is doing right now. */
  public SyncStatus status() {
    return engine.status();
  }

  /** Returns some lines for a bug report, without anything that must stay secret. */
  public String debugSummary() {
    return engine.debugSummary();
  }
}
