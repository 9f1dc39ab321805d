package dev.syncguard.sync.remote;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.state.SessionSettings;
import dev.syncguard.sync.text.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the operator of the project asks of every client: a public document that only they can write, read once an hour.
 *
 * <p>It can ask for less than this build does, never for more: a value beyond our own limit, below what is useful or of
 * another type counts as our own. The last answer is kept on the device, so that it holds from the first moment of the next
 * session, and it lapses when the document is deleted.
 */
public final class OperatorLimits {

  /** How old an answer may be. */
  static final long HOUR = 3_600_000;

  private static final String WRITES = "writesEnabled";

  // A cap below this would clear the marks of ordinary readers.
  private static final int LEAST_READ_CAP = 1_000;
  private static final int LEAST_AUTHOR_CAP = 100;

  private static final List<String> NUMBERS = List.of(
      "readCap",
      "authorCap",
      "writeFloorSeconds",
      "readOnlyWindowSeconds",
      "softPushesPerDay",
      "hardPushesPerDay",
      "retentionDays");

  private final SessionSettings own;
  private final KeyValueStore store;
  private final String key;
  private final Clocks clocks;

  public OperatorLimits(SessionSettings own, KeyValueStore store, String key, Clocks clocks) {
    this.own = own;
    this.store = store;
    this.key = key;
    this.clocks = clocks;
  }

  /** Returns whether it is time to ask again. */
  public boolean areStale() {
    Map<String, Object> kept = kept();
    Long at = kept == null ? null : Json.whole(kept.get("fetchedAtMs"));
    long age = at == null ? HOUR : clocks.wallMillis() - at;
    return own.operatorLimits && (age < 0 || age >= HOUR);
  }

  /** Keeps what the document says, or that there is none. */
  public void heard(Map<String, Object> fields) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schemaVersion", 1);
    json.put("fetchedAtMs", clocks.wallMillis());
    for (String name : NUMBERS) {
      Long value = TypedValue.integer(fields.get(name));
      if (value != null && value >= 0) {
        json.put(name, value);
      }
    }
    if (Boolean.FALSE.equals(TypedValue.bool(fields.get(WRITES)))) {
      json.put(WRITES, false);
    }
    store.set(key, Json.write(json));
  }

  /** Returns our settings with all that the operator asks for. */
  public SessionSettings effective() {
    Map<String, Object> kept = own.operatorLimits ? kept() : null;
    if (kept == null) {
      return own;
    }
    SessionSettings.Draft draft = own.draft();
    draft.writesEnabled = own.writesEnabled && !Boolean.FALSE.equals(kept.get(WRITES));
    draft.readCap = (int) atMost(kept, "readCap", LEAST_READ_CAP, own.readCap);
    draft.authorCap = (int) atMost(kept, "authorCap", LEAST_AUTHOR_CAP, own.authorCap);
    draft.writeFloorMillis = atLeast(kept, "writeFloorSeconds", own.writeFloorMillis, 3_600_000);
    draft.readOnlyWindowMillis =
        atLeast(kept, "readOnlyWindowSeconds", own.readOnlyWindowMillis, 3_600_000);
    draft.retentionDays = (int) atMost(kept, "retentionDays", 30, own.retentionDays);
    draft.hardBudget = (int) atMost(kept, "hardPushesPerDay", 1, own.hardBudget);
    draft.softBudget =
        Math.min((int) atMost(kept, "softPushesPerDay", 1, own.softBudget), draft.hardBudget);
    return draft.finished();
  }

  private @Nullable Map<String, Object> kept() {
    String text = store.get(key);
    return text == null ? null : Json.parseObject(text);
  }

  private static long atMost(Map<String, Object> kept, String name, long least, long ours) {
    Long asked = Json.whole(kept.get(name));
    return asked == null || asked < least ? ours : Math.min(asked, ours);
  }

  private static long atLeast(Map<String, Object> kept, String name, long ours, long most) {
    Long asked = Json.whole(kept.get(name));
    return asked == null || asked > most / 1000 ? ours : Math.max(asked * 1000, ours);
  }
}
