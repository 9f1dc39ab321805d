package dev.syncguard.sync.simulation;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a stored envelope says, as far as the promises of sync are about it. Entries that make no sense say nothing. */
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

  private static final Value NO_OPINION = Value.newBuilder().setIntegerValue(7).build();

  static Contents of(Document document) {
    MapValue fields = document.getFieldsOrThrow("fields").getMapValue();
    MapValue read = map(fields, "read");
    MapValue loadFrom = map(fields, "loadFrom");
    MapValue authors = map(fields, "authorPrefs");
    Set<String> marks = new TreeSet<>();
    map(read, "value").getFieldsMap().forEach((id, mark) -> {
      if (mark.getIntegerValue() == 1 && id.indexOf(' ') < 0) {
        marks.add(id);
      }
    });
    Map<String, Integer> preferences = new TreeMap<>();
    map(authors, "value").getFieldsMap().forEach((author, entry) -> {
      long v = entry.getMapValue().getFieldsOrDefault("v", NO_OPINION).getIntegerValue();
      if (Math.abs(v) <= 1) {
        preferences.put(author, (int) v);
      }
    });
    return new Contents(
        number(read, "clearEpoch"),
        marks,
        number(loadFrom, "clearEpoch"),
        number(loadFrom, "version"),
        date(loadFrom.getFieldsOrDefault("value", Value.getDefaultInstance()).getStringValue()),
        number(authors, "clearEpoch"),
        preferences);
  }

  private static String date(String text) {
    try {
      Edit.rank(text);
      return text;
    } catch (DateTimeParseException e) {
      return "";
    }
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
