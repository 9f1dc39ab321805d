package dev.syncguard.sync.remote;

import dev.syncguard.sync.text.Iso;
import dev.syncguard.sync.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes single values out of Firestore's typed JSON; null means that it was something else. */
final class TypedValue {

  private TypedValue() {}

  /** Returns an integer of at most 18 digits. A double is none, even if it is whole. */
  static @Nullable Long integer(@Nullable Object typed) {
    if (!(only(typed, "integerValue") instanceof String digits)) {
      return null;
    }
    boolean negative = digits.startsWith("-");
    Long value = Json.whole(negative ? digits.substring(1) : digits);
    return value == null || !negative ? value : (Long) (-value);
  }

  static @Nullable String string(@Nullable Object typed) {
    return only(typed, "stringValue") instanceof String text ? text : null;
  }

  static @Nullable Boolean bool(@Nullable Object typed) {
    return only(typed, "booleanValue") instanceof Boolean value ? value : null;
  }

  static @Nullable String timestamp(@Nullable Object typed) {
    return only(typed, "timestampValue") instanceof String text && Iso.isMoment(text) ? text : null;
  }

  static boolean isNull(Object typed) {
    return only(typed, "nullValue") != null;
  }

  /** Returns the members of a map. Firestore leaves {@code fields} out when it is empty. */
  static @Nullable Map<String, Object> map(@Nullable Object typed) {
    Map<String, Object> wrapper = Json.object(only(typed, "mapValue"));
    if (wrapper == null) {
      return null;
    }
    return wrapper.isEmpty() ? wrapper : Json.object(only(wrapper, "fields"));
  }

  private static @Nullable Object only(@Nullable Object typed, String name) {
    Map<String, Object> wrapper = Json.object(typed);
    return wrapper == null || wrapper.size() != 1 ? null : wrapper.get(name);
  }
}
