package dev.syncguard.sync;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a device remembers about quotas, shared by its tabs. Times are on the wall clock.
 *
 * @param level how many cooldowns have followed one another
 * @param day the day in UTC to which {@code pushes} belongs
 */
record QuotaMeta(
    Mode mode,
    long disabledUntil,
    long nextProbe,
    int level,
    String day,
    int pushes,
    long lastErrorAt) {

  enum Mode {
    NORMAL("normal"),
    QUOTA_LIMITED("quota_limited"),
    BUDGET_LIMITED("local_budget_limited");

    final String id;

    Mode(String id) {
      this.id = id;
    }
  }

  static final QuotaMeta NEW = new QuotaMeta(Mode.NORMAL, 0, 0, 0, "", 0, 0);

  String write() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schemaVersion", 1);
    json.put("mode", mode.id);
    json.put("disabledUntilMs", disabledUntil);
    json.put("nextProbeAtMs", nextProbe);
    json.put("cooldownLevel", level);
    json.put("dayKeyUtc", day);
    json.put("pushesToday", pushes);
    json.put("lastQuotaErrorAtMs", lastErrorAt);
    return Json.write(json);
  }

  /** Returns what {@code text} says; whatever is missing or wrong counts as never set. */
  static QuotaMeta read(@Nullable String text) {
    Map<String, Object> json = text == null ? null : Json.parseObject(text);
    if (json == null || number(json, "schemaVersion") != 1) {
      return NEW;
    }
    Mode mode = Mode.NORMAL;
    for (Mode each : Mode.values()) {
      mode = each.id.equals(json.get("mode")) ? each : mode;
    }
    return new QuotaMeta(
        mode,
        number(json, "disabledUntilMs"),
        number(json, "nextProbeAtMs"),
        (int) Math.min(number(json, "cooldownLevel"), 1_000),
        json.get("dayKeyUtc") instanceof String day ? day : "",
        (int) Math.min(number(json, "pushesToday"), 1_000_000),
        number(json, "lastQuotaErrorAtMs"));
  }

  private static long number(Map<String, Object> json, String name) {
    Long value = Json.whole(json.get(name));
    return value == null ? 0 : value;
  }
}
