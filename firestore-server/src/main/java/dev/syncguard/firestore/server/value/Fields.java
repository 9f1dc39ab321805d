package dev.syncguard.firestore.server.value;

import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reading and changing one field of nested maps. Nothing is changed in place: every change returns new maps. */
public final class Fields {
  private Fields() {}

  /** Returns the value at the path, or null if the path leads nowhere. */
  public static @Nullable Value get(Map<String, Value> fields, FieldPath path) {
    Map<String, Value> level = fields;
    List<String> segments = path.segments();
    for (int i = 0; i < segments.size() - 1; i++) {
      Value next = level.get(segments.get(i));
      if (next == null || !next.hasMapValue()) {
        return null;
      }
      level = next.getMapValue().getFieldsMap();
    }
    return level.get(segments.get(segments.size() - 1));
  }

  /** Returns the fields with the value at the path; what is no map on the way becomes one. */
  public static Map<String, Value> with(Map<String, Value> fields, FieldPath path, Value value) {
    return with(fields, path.segments(), value);
  }

  private static Map<String, Value> with(
      Map<String, Value> fields, List<String> path, Value value) {
    Map<String, Value> changed = new LinkedHashMap<>(fields);
    String first = path.get(0);
    if (path.size() == 1) {
      changed.put(first, value);
    } else {
      Map<String, Value> below = mapOf(fields.get(first));
      changed.put(first, map(with(below, path.subList(1, path.size()), value)));
    }
    return changed;
  }

  /** Returns the fields without the one at the path; maps on the way stay, even if that empties them. */
  public static Map<String, Value> without(Map<String, Value> fields, FieldPath path) {
    return without(fields, path.segments());
  }

  private static Map<String, Value> without(Map<String, Value> fields, List<String> path) {
    String first = path.get(0);
    Value present = fields.get(first);
    if (present == null || (path.size() > 1 && !present.hasMapValue())) {
      return fields;
    }
    Map<String, Value> changed = new LinkedHashMap<>(fields);
    if (path.size() == 1) {
      changed.remove(first);
    } else {
      changed.put(
          first, map(without(present.getMapValue().getFieldsMap(), path.subList(1, path.size()))));
    }
    return changed;
  }

  /** Returns a value that holds the map. */
  public static Value map(Map<String, Value> fields) {
    return Value.newBuilder()
        .setMapValue(MapValue.newBuilder().putAllFields(fields))
        .build();
  }

  private static Map<String, Value> mapOf(@Nullable Value value) {
    return value != null && value.hasMapValue() ? value.getMapValue().getFieldsMap() : Map.of();
  }
}
