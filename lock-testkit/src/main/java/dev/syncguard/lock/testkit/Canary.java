package dev.syncguard.lock.testkit;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keys and lock ids that carry a marker, and a nose for the marker wherever something is written.
 *
 * <p>Thread-safe.
 */
final class Canary {

  private static final String MARKER = "CANARY";

  private final List<String> forbidden;
  private final List<String> sightings = Collections.synchronizedList(new ArrayList<>());

  Canary(Set<String> secrets) {
    String hex = HexFormat.of().formatHex(MARKER.getBytes(StandardCharsets.UTF_8));
    forbidden = Stream.concat(Stream.of(MARKER, hex), secrets.stream())
        .map(text -> text.toLowerCase(Locale.ROOT))
        .toList();
  }

  LockKey key(String name) {
    return LockKey.of(MARKER + " " + name);
  }

  LockId id() {
    return LockId.parse(MARKER + Contract.newId().value().substring(MARKER.length()));
  }

  /** Returns where the marker or a secret was seen. */
  List<String> sightings() {
    return List.copyOf(sightings);
  }

  void sniff(String where, @Nullable Object thing) {
    String text = String.valueOf(thing).toLowerCase(Locale.ROOT);
    if (forbidden.stream().anyMatch(text::contains)) {
      sightings.add(where);
    }
  }

  /** Sniffs at an exception, its causes and what it suppressed. */
  void sniffThrown(String where, @Nullable Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    sniffThrown(where, thrown, seen);
  }

  private void sniffThrown(String where, @Nullable Throwable thrown, Set<Throwable> seen) {
    if (thrown == null || !seen.add(thrown)) {
      return;
    }
    sniff(where + ": " + thrown.getClass().getName(), thrown);
    sniff(where + ": its message", thrown.getMessage());
    sniff(where + ": its localised message", thrown.getLocalizedMessage());
    sniffThrown(where + ": cause", thrown.getCause(), seen);
    for (Throwable suppressed : thrown.getSuppressed()) {
      sniffThrown(where + ": suppressed", suppressed, seen);
    }
  }

  void sniffLog(List<LogRecord> records) {
    for (LogRecord record : records) {
      String where = "log of " + record.getLoggerName() + " at " + record.getLevel();
      sniff(where, record.getMessage());
      Object[] parameters = record.getParameters();
      for (Object parameter : parameters == null ? new Object[0] : parameters) {
        sniff(where + ": parameter", parameter);
      }
      sniffThrown(where, record.getThrown());
    }
  }

  void sniffThreads() {
    Thread.getAllStackTraces()
        .keySet()
        .forEach(thread -> sniff("name of a thread", thread.getName()));
  }
}
