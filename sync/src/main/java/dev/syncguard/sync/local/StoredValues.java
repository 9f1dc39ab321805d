package dev.syncguard.sync.local;

import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.text.Json;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reader's three values as they are stored, each with the clearing that it comes after ({@link SyncMeta#since}).
 *
 * <p>Keys travel from tab to tab one by one, and late. A value that does not come after the clearing that the sync meta
 * knows of is from before it, or somebody else's: it is read as if there were none. Values without a mark are from before
 * the first clearing.
 */
final class StoredValues {

  /** What no mark and no author can be called. */
  private static final String SINCE = "__since__";

  private final KeyValueStore store;
  private final StoredKeys keys;

  // Parsing ten thousand marks for each new one would be slow: what was read last is kept, with the
  // text it was read from.
  private @Nullable String readText;
  private String readSince = "";
  private Set<String> readValue = Set.of();
  private @Nullable String prefsText;
  private String prefsSince = "";
  private Map<String, Integer> prefsValue = Map.of();

  StoredValues(KeyValueStore store, StoredKeys keys) {
    this.store = store;
    this.keys = keys;
  }

  /** Returns the ids that were read since then, or ever if it is null; valid or not. Not to be changed. */
  Set<String> read(@Nullable String since) {
    String text = store.get(keys.read);
    if (text == null) {
      return Set.of();
    }
    if (!text.equals(readText)) {
      Set<String> value = new LinkedHashSet<>();
      Map<String, Object> json = parsed(text);
      json.forEach((id, v) -> {
        Long mark = Json.whole(v);
        if (mark != null && mark == 1) {
          value.add(id);
        }
      });
      readText = text;
      readSince = since(json);
      readValue = value;
    }
    return since == null || since.equals(readSince) ? readValue : Set.of();
  }

  void setRead(Set<String> ids, String since) {
    if (ids.isEmpty()) {
      store.remove(keys.read);
      return;
    }
    StringBuilder out = new StringBuilder(ids.size() * 24 + 48);
    char before = '{';
    for (String id : ids) {
      if (!id.equals(SINCE)) {
        Json.quote(out.append(before), id);
        out.append(":1");
        before = ',';
      }
    }
    if (!since.isEmpty()) {
      Json.quote(out.append(before).append('"').append(SINCE).append("\":"), since);
      before = ',';
    }
    String text = out.append(before == '{' ? "{}" : "}").toString();
    store.set(keys.read, text);
    readText = text;
    readSince = since;
    readValue = ids;
  }

  /** Returns the date that was chosen since then, or ever if it is null, or an empty string. */
  String loadFrom(@Nullable String since) {
    String text = store.get(keys.loadFrom);
    if (text == null) {
      return "";
    }
    int mark = markOf(text);
    String own = mark < 0 ? "" : text.substring(mark + 2, text.length() - 1);
    String value = mark < 0 ? text : text.substring(0, mark);
    return since == null || since.equals(own) ? value : "";
  }

  void setLoadFrom(String value, String since) {
    if (value.isEmpty()) {
      store.remove(keys.loadFrom);
    } else {
      // Who parses dates in JavaScript takes no notice of what stands in parentheses.
      store.set(keys.loadFrom, since.isEmpty() ? value : value + " (" + since + ")");
    }
  }

  private static int markOf(String text) {
    return text.endsWith(")") ? text.lastIndexOf(" (") : -1;
  }

  /** Returns what was said of authors since then, or ever if it is null, whoever they are. Not to be changed. */
  Map<String, Integer> authorPrefs(@Nullable String since) {
    String text = store.get(keys.authorPrefs);
    if (text == null) {
      return Map.of();
    }
    if (!text.equals(prefsText)) {
      Map<String, Integer> value = new LinkedHashMap<>();
      Map<String, Object> json = parsed(text);
      json.forEach((author, v) -> {
        if (v instanceof Json.Num number) {
          switch (number.text()) {
            case "1" -> value.put(author, 1);
            case "0" -> value.put(author, 0);
            case "-1" -> value.put(author, -1);
            default -> {}
          }
        }
      });
      prefsText = text;
      prefsSince = since(json);
      prefsValue = value;
    }
    return since == null || since.equals(prefsSince) ? prefsValue : Map.of();
  }

  void setAuthorPrefs(Map<String, Integer> prefs, String since) {
    if (prefs.isEmpty()) {
      store.remove(keys.authorPrefs);
      return;
    }
    Map<String, Object> json = new LinkedHashMap<>(prefs);
    json.remove(SINCE);
    if (!since.isEmpty()) {
      json.put(SINCE, since);
    }
    String text = Json.write(json);
    store.set(keys.authorPrefs, text);
    prefsText = text;
    prefsSince = since;
    prefsValue = prefs;
  }

  /** Returns whether there is a value, and it does not come after the clearing that the meta knows of. */
  boolean isStrange(SyncedField field, SyncMeta meta) {
    String since = meta.since(field);
    return switch (field) {
      case READ -> !read(null).isEmpty() && !since.equals(readSince);
      case LOAD_FROM -> loadFrom(since).isEmpty() && !loadFrom(null).isEmpty();
      case AUTHOR_PREFS -> !authorPrefs(null).isEmpty() && !since.equals(prefsSince);
    };
  }

  private static Map<String, Object> parsed(String text) {
    Map<String, Object> json = Json.parseObject(text);
    return json == null ? Map.of() : json;
  }

  private static String since(Map<String, Object> json) {
    return json.get(SINCE) instanceof String since ? since : "";
  }
}
