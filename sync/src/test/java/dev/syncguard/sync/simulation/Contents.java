package dev.syncguard.sync.simulation;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a stored envelope says, as far as the promises of sync are about it. */
record Contents(
    int readEpoch,
    Set<String> read,
    int loadFromEpoch,
    int loadFromVersion,
    String loadFrom,
    int authorsEpoch,
    Map<String, Integer> authors) {

  /** What there is before the first write. */
  static final Contents NONE = new Contents(0, Set.of(), 0, 0, "", 0, Map.of());

  static Contents of(Document document) {
    MapValue fields = document.getFieldsOrThrow("fields").getMapValue();
    MapValue read = map(fields, "read");
    MapValue loadFrom = map(fields, "loadFrom");
    MapValue authors = map(fields, "authorPrefs");
    Map<String, Integer> preferences = new TreeMap<>();
    map(authors, "value")
        .getFieldsMap()
        .forEach((author, entry) -> preferences.put(author, number(entry.getMapValue(), "v")));
    return new Contents(
        number(read, "clearEpoch"),
        new TreeSet<>(map(read, "value").getFieldsMap().keySet()),
        number(loadFrom, "clearEpoch"),
        number(loadFrom, "version"),
        loadFrom.getFieldsOrDefault("value", Value.getDefaultInstance()).getStringValue(),
        number(authors, "clearEpoch"),
        preferences);
  }

  private static MapValue map(MapValue in, String name) {
    return in.getFieldsOrThrow(name).getMapValue();
  }

  private static int number(MapValue in, String name) {
    return Math.toIntExact(in.getFieldsOrThrow(name).getIntegerValue());
  }

  int epoch(Kind kind) {
    return switch (kind) {
      case READ -> readEpoch;
      case LOAD_FROM -> loadFromEpoch;
      case AUTHORS -> authorsEpoch;
    };
  }
}
