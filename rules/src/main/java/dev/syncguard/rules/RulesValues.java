package dev.syncguard.rules;

import com.google.firestore.v1.Value;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.BytesValue;
import dev.syncguard.rules.value.RulesValue.LatLngValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import dev.syncguard.rules.value.RulesValue.PathValue;
import dev.syncguard.rules.value.RulesValue.TimestampValue;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns values of Firestore and of JSON into those of rules. */
public final class RulesValues {
  private RulesValues() {}

  /** Returns the fields of a document, each of which is turned only when it is read. */
  public static MapValue ofFields(Map<String, Value> fields) {
    return RulesValue.map(new LazyMap(fields));
  }

  /** Returns what rules see of a value in a document. */
  public static RulesValue of(Value value) {
    return switch (value.getValueTypeCase()) {
      case BOOLEAN_VALUE -> RulesValue.of(value.getBooleanValue());
      case INTEGER_VALUE -> RulesValue.of(value.getIntegerValue());
      case DOUBLE_VALUE -> RulesValue.of(value.getDoubleValue());
      case STRING_VALUE -> RulesValue.of(value.getStringValue());
      case BYTES_VALUE -> new BytesValue(value.getBytesValue());
      case TIMESTAMP_VALUE ->
        new TimestampValue(Instant.ofEpochSecond(
            value.getTimestampValue().getSeconds(), value.getTimestampValue().getNanos()));
      case GEO_POINT_VALUE ->
        new LatLngValue(
            value.getGeoPointValue().getLatitude(), value.getGeoPointValue().getLongitude());
      case REFERENCE_VALUE -> reference(value.getReferenceValue());
      case ARRAY_VALUE ->
        RulesValue.list(
            value.getArrayValue().getValuesList().stream().map(RulesValues::of).toList());
      case MAP_VALUE -> ofFields(value.getMapValue().getFieldsMap());
      default -> RulesValue.NULL;
    };
  }

  /** Returns the path of a document's full name, which for rules begins with its database. */
  public static PathValue reference(String name) {
    List<String> segments = Arrays.asList(name.split("/", -1));
    int start = segments.indexOf("databases");
    return new PathValue(segments.subList(Math.max(0, start), segments.size()));
  }

  /** Returns what a parser of JSON returned: maps, collections, texts, numbers, truth values and null. */
  public static RulesValue ofJson(@Nullable Object json) {
    if (json instanceof Map<?, ?> map) {
      Map<String, RulesValue> entries = new HashMap<>();
      map.forEach((key, value) -> entries.put(String.valueOf(key), ofJson(value)));
      return RulesValue.map(entries);
    } else if (json instanceof Collection<?> list) {
      return RulesValue.list(list.stream().map(RulesValues::ofJson).toList());
    } else if (json instanceof String text) {
      return RulesValue.of(text);
    } else if (json instanceof Boolean bool) {
      return RulesValue.of(bool.booleanValue());
    } else if (json instanceof Integer || json instanceof Long) {
      return RulesValue.of(((Number) json).longValue());
    } else if (json instanceof Number number) {
      return RulesValue.of(number.doubleValue());
    } else if (json == null) {
      return RulesValue.NULL;
    }
    throw new IllegalArgumentException("No value of JSON: " + json.getClass());
  }

  private static final class LazyMap extends AbstractMap<String, RulesValue> {
    private final Map<String, Value> fields;

    LazyMap(Map<String, Value> fields) {
      this.fields = fields;
    }

    @Override
    public int size() {
      return fields.size();
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return fields.containsKey(key);
    }

    @Override
    public @Nullable RulesValue get(@Nullable Object key) {
      Value value = fields.get(key);
      return value == null ? null : of(value);
    }

    @Override
    public Set<String> keySet() {
      return fields.keySet();
    }

    @Override
    public Set<Entry<String, RulesValue>> entrySet() {
      return fields.entrySet().stream()
          .map(entry -> Map.entry(entry.getKey(), of(entry.getValue())))
          .collect(Collectors.toSet());
    }
  }
}
