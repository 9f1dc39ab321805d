package dev.syncguard.sync;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * What a reader has read, from when on they read, and which authors they prefer, on this device.
 *
 * <p>Works at once and without sync; every change is stored before the call returns and marked for the next push. Used by
 * one thread.
 */
@SuppressWarnings("DoNotCallSuggester") // until the engine is built
public final class ReaderState {

  /** The value of {@link #loadFrom} that means: whatever is recent. */
  public static final String LOAD_RECENT = "__LOAD_RECENT__";

  ReaderState() {}

  /** Returns the ids of the posts and comments that were read. */
  public Set<String> read() {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Marks posts and comments as read. */
  public void markRead(Collection<String> ids) {
    throw new UnsupportedOperationException("not built yet");
  }

  /**
   * Drops marks from this device that it no longer shows, or that were made by mistake. Other devices keep theirs, and
   * the next merge brings them back: a mark cannot be taken back everywhere, except by a reset.
   */
  public void forgetRead(Collection<String> ids) {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Returns the date to load from as ISO text, {@link #LOAD_RECENT}, or an empty string when none was chosen. */
  public String loadFrom() {
    throw new UnsupportedOperationException("not built yet");
  }

  /**
   * Sets the date to load from and nothing else.
   *
   * @param value a date-time with zone, {@link #LOAD_RECENT}, or an empty string, which stays on this device
   */
  public void setLoadFrom(String value) {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Sets the date to load from and drops this device's read marks: for a start at another date. */
  public void setLoadFromAndClearRead(String value) {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Empties read marks and the date to load from on this device. */
  public void clearReadState() {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Says that the first batch has been loaded, so that {@link #LOAD_RECENT} has served and need not be held back. */
  public void feedLoaded() {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Returns the preferred (1), avoided (-1) and no longer preferred (0) authors. */
  public Map<String, Integer> authorPreferences() {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Prefers (1) or avoids (-1) an author, or stops doing so (0). */
  public void setAuthorPreference(String author, int preference) {
    throw new UnsupportedOperationException("not built yet");
  }
}
