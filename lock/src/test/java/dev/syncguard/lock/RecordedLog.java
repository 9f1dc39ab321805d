package dev.syncguard.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** A log whose entries a test can read. Messages are kept as they were given, before parameters are put in. Not thread-safe. */
public final class RecordedLog implements System.Logger {

  /** What was logged. */
  public record Entry(Level level, String message, @Nullable Throwable thrown) {}

  private final List<Entry> entries = new ArrayList<>();

  public List<Entry> entries() {
    return entries;
  }

  @Override
  public String getName() {
    return "recorded";
  }

  @Override
  public boolean isLoggable(Level level) {
    return true;
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    entries.add(new Entry(level, String.valueOf(message), thrown));
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object... parameters) {
    entries.add(new Entry(level, String.valueOf(format), null));
  }
}
