package dev.syncguard.benchmarks.rules;

import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import com.google.protobuf.Timestamp;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** The state of a reader as the sync product stores it, of any size. */
final class Envelope {

  static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

  private Envelope() {}

  /** Returns the fields of a document with so many read marks and preferences. */
  static Map<String, Value> of(int readMarks, int preferences) {
    Map<String, Value> read = new HashMap<>();
    for (int i = 0; i < readMarks; i++) {
      read.put("forumItem" + i, integer(1));
    }
    Map<String, Value> authors = new HashMap<>();
    for (int i = 0; i < preferences; i++) {
      authors.put(
          "Author " + i,
          map(Map.of(
              "v", integer(1),
              "version", integer(3),
              "updatedAt", time(NOW),
              "updatedBy", text("device:0a1b2c3d"))));
    }
    return Map.of(
        "schemaVersion", integer(1),
        "site", text("lw"),
        "lastPushedBy", text("device:0a1b2c3d"),
        "lastPushedAt", time(NOW),
        "lastPushedAtMs", integer(NOW.toEpochMilli()),
        "expiresAt", time(NOW.plusSeconds(180L * 24 * 60 * 60)),
        "fields",
            map(Map.of(
                "read", field(Map.of("value", map(read))),
                "loadFrom", field(Map.of("version", integer(3), "value", text("__LOAD_RECENT__"))),
                "authorPrefs", field(Map.of("value", map(authors))))));
  }

  private static Value field(Map<String, Value> own) {
    Map<String, Value> all = new HashMap<>(own);
    all.put("updatedAt", time(NOW));
    all.put("updatedBy", text("device:0a1b2c3d"));
    all.put("clearEpoch", integer(2));
    return map(all);
  }

  private static Value integer(long number) {
    return Value.newBuilder().setIntegerValue(number).build();
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static Value time(Instant time) {
    return Value.newBuilder()
        .setTimestampValue(Timestamp.newBuilder().setSeconds(time.getEpochSecond()))
        .build();
  }

  private static Value map(Map<String, Value> fields) {
    return Value.newBuilder()
        .setMapValue(MapValue.newBuilder().putAllFields(fields))
        .build();
  }
}
