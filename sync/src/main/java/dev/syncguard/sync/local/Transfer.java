package dev.syncguard.sync.local;

import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.state.DeviceState;
import dev.syncguard.sync.state.Limits;
import dev.syncguard.sync.text.Json;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Takes the reader's state out of a device and into another by hand. Knows nothing of secrets. Keys that may not travel to
 * the remote are no reason to refuse: a device that has them keeps them.
 */
public final class Transfer {

  private Transfer() {}

  /** Returns a state as a JSON object that {@link #read} takes, whatever its keys look like. */
  public static String export(DeviceState state) {
    Map<String, Object> read = new LinkedHashMap<>();
    state.read().forEach(id -> read.put(id, 1));
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("read", read);
    json.put("loadFrom", Limits.normalLoadFrom(state.loadFrom()));
    json.put("authorPrefs", state.authorPrefs());
    return Json.write(json);
  }

  /**
   * Reads an exported state.
   *
   * @throws IllegalArgumentException if any of it is wrong
   */
  public static UnaryOperator<DeviceState> read(String text, String now) {
    Map<String, Object> json =
        ofTheOriginal(there(Json.parseObject(text), "it is not a JSON object"));
    Set<String> read = json.containsKey("read") ? read(json.get("read")) : null;
    Map<String, Integer> prefs =
        json.containsKey("authorPrefs") ? prefs(json.get("authorPrefs")) : null;
    String loadFrom = json.containsKey("loadFrom") ? loadFrom(json.get("loadFrom")) : null;
    require(
        read != null || prefs != null || loadFrom != null, "it holds nothing that a reader has");
    return before -> {
      DeviceState state = before;
      if (read != null) {
        state = state.changed(SyncedField.READ, now).withRead(read);
      }
      if (prefs != null) {
        state = state.preferring(prefs, prefs.keySet(), now);
      }
      return loadFrom == null ? state : state.loadingFrom(loadFrom, now);
    };
  }

  /**
   * Returns an export of the original script in our form, and anything else as it is. The original exports what it stores:
   * keys of a userscript manager, with texts that hold JSON.
   */
  private static Map<String, Object> ofTheOriginal(Map<String, Object> json) {
    Map<String, Object> ours = new LinkedHashMap<>();
    for (Site site : Site.values()) {
      StoredKeys keys = new StoredKeys(site);
      if (json.get(keys.read) instanceof String read && !read.isEmpty()) {
        ours.put("read", Json.parse(read));
      }
      if (json.get(keys.loadFrom) instanceof String loadFrom && !loadFrom.isEmpty()) {
        ours.put("loadFrom", loadFrom);
      }
      if (json.get(keys.authorPrefs) instanceof String prefs && !prefs.isEmpty()) {
        ours.put("authorPrefs", Json.parse(prefs));
      }
    }
    return ours.isEmpty() ? json : ours;
  }

  private static Set<String> read(@Nullable Object value) {
    Map<String, Object> json = there(Json.object(value), "read is not an object");
    Set<String> read = new LinkedHashSet<>();
    for (Map.Entry<String, Object> entry : json.entrySet()) {
      Long mark = Json.whole(entry.getValue());
      require(mark != null && mark == 1, "a read mark is malformed");
      read.add(entry.getKey());
    }
    return read;
  }

  private static Map<String, Integer> prefs(@Nullable Object value) {
    Map<String, Object> json = there(Json.object(value), "authorPrefs is not an object");
    Map<String, Integer> prefs = new LinkedHashMap<>();
    for (Map.Entry<String, Object> entry : json.entrySet()) {
      String v = entry.getValue() instanceof Json.Num number ? number.text() : "";
      boolean fine = v.equals("-1") || v.equals("0") || v.equals("1");
      require(fine, "an author preference is malformed");
      prefs.put(entry.getKey(), Integer.parseInt(v));
    }
    return prefs;
  }

  private static String loadFrom(@Nullable Object value) {
    String text = there(value instanceof String string ? string : null, "loadFrom is not text");
    require(
        text.isEmpty() || !Limits.normalLoadFrom(text).isEmpty(), "loadFrom is not a date-time");
    return text;
  }

  private static <T> T there(@Nullable T value, String problem) {
    require(value != null, problem);
    return Objects.requireNonNull(value);
  }

  private static void require(boolean condition, String problem) {
    if (!condition) {
      throw new IllegalArgumentException("This state cannot be imported: " + problem);
    }
  }
}
