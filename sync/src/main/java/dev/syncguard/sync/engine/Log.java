package dev.syncguard.sync.engine;

import dev.syncguard.sync.Listener;
import dev.syncguard.sync.SyncStatus;
import dev.syncguard.sync.SyncedField;
import java.util.Set;

/** Speaks to the listener, whatever that does. */
public final class Log {

  private final Listener listener;

  public Log(Listener listener) {
    this.listener = listener;
  }

  public void warn(String text) {
    safe().log(Listener.Level.WARNING, text);
  }

  public void info(String text) {
    safe().log(Listener.Level.INFO, text);
  }

  public void debug(String text) {
    safe().log(Listener.Level.DEBUG, text);
  }

  /** Returns the listener, held back from throwing. */
  Listener safe() {
    return new Listener() {
      @Override
      public void statusChanged(SyncStatus status) {
        quietly(() -> listener.statusChanged(status));
      }

      @Override
      public void applied(Set<SyncedField> fields) {
        quietly(() -> listener.applied(fields));
      }

      @Override
      public void notice(String text) {
        quietly(() -> listener.notice(text));
      }

      @Override
      public void log(Level level, String text) {
        quietly(() -> listener.log(level, text));
      }
    };
  }

  private static void quietly(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException listenersProblem) {
      // A page that cannot show a line must not stop sync, and there is nobody else to tell.
    }
  }
}
