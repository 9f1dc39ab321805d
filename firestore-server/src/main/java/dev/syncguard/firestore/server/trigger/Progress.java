package dev.syncguard.firestore.server.trigger;

import dev.syncguard.firestore.server.durability.ReplacedFile;
import dev.syncguard.firestore.server.name.DatabaseName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Up to which commit each trigger was told, in a file that outlives the server: one line for each trigger and, with a time in
 * microseconds, for each database. Without a file nothing is remembered. Thread-safe.
 */
public final class Progress {
  private final @Nullable ReplacedFile file;
  private Map<String, Long> saved = new TreeMap<>();

  private Progress(@Nullable ReplacedFile file) {
    this.file = file;
  }

  /** Returns a progress that ends with the server. */
  public static Progress forgotten() {
    return new Progress(null);
  }

  /** Reads the progress of an earlier run, if there was one. */
  public static Progress in(ReplacedFile file) {
    Progress progress = new Progress(file);
    try {
      for (String line : file.lines()) {
        int space = line.lastIndexOf(' ');
        progress.saved.put(line.substring(0, space), Long.parseLong(line.substring(space + 1)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new IllegalStateException(
          file + " is damaged. Delete it: triggers then begin with the next commit.", e);
    }
    return progress;
  }

  boolean isKept() {
    return file != null;
  }

  /** Returns whether the trigger was there in the earlier run. */
  synchronized boolean knows(String trigger) {
    return saved.containsKey(trigger);
  }

  /** Returns the time up to which the trigger was told; a database that came after the trigger has told it nothing yet. */
  synchronized long of(String trigger, DatabaseName database) {
    return saved.getOrDefault(key(trigger, database), 0L);
  }

  /** Remembers exactly this, for good. */
  synchronized void save(Set<String> triggers, Map<String, Long> times) {
    if (file == null) {
      return;
    }
    Map<String, Long> next = new TreeMap<>(times);
    triggers.forEach(trigger -> next.put(trigger, 0L));
    if (next.equals(saved)) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    next.forEach((key, micros) -> lines.append(key).append(' ').append(micros).append('\n'));
    try {
      file.replace(lines.toString());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + file, e);
    }
    saved = next;
  }

  static String key(String trigger, DatabaseName database) {
    return trigger + " " + database;
  }
}
