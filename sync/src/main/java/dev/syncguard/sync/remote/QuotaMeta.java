package dev.syncguard.sync.remote;

import dev.syncguard.sync.text.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a device remembers about quotas, shared by its tabs. Times are on the wall clock.
 *
 * @param cooldown how the server's quota stands
 * @param day the server's day in UTC to which the pushes are counted
 * @param pushes what each person has pushed from this device, by user id
 */
public record QuotaMeta(Cooldown cooldown, String day, Map<String, Pushes> pushes) {

  public enum Mode {
    NORMAL("normal"),
    QUOTA_LIMITED("quota_limited"),
    BUDGET_LIMITED("local_budget_limited");

    public final String id;

    Mode(String id) {
      this.id = id;
    }
  }

  /**
   * A pause that the server has asked for.
   *
   * @param until when it is over, or 0 when there is none
   * @param level how many have followed one another without a sign that the server has recovered
   * @param writesRefused whether it was a write that was refused
   */
  public record Cooldown(
      long until, long nextProbe, int level, boolean writesRefused, long lastErrorAt) {
    static final Cooldown NONE = new Cooldown(0, 0, 0, false, 0);

    boolean isOn() {
      return until != 0;
    }

    /** Returns the end of this one, after which the next is longer: nobody has seen the server recover. */
    Cooldown over() {
      return new Cooldown(0, 0, level, writesRefused, lastErrorAt);
    }
  }

  /**
   * How often and when one person has pushed.
   *
   * @param busyUntil until when a tab is pushing, unless it crashes
   */
  public record Pushes(int today, long lastAt, long lastReadOnlyAt, long busyUntil) {
    static final Pushes NONE = new Pushes(0, 0, 0, 0);

    Pushes busyUntil(long until) {
      return new Pushes(today, lastAt, lastReadOnlyAt, until);
    }
  }

  public static final QuotaMeta NEW = new QuotaMeta(Cooldown.NONE, "", Map.of());

  public Pushes pushesOf(String userId) {
    return pushes.getOrDefault(userId, Pushes.NONE);
  }

  public QuotaMeta with(Cooldown next) {
    return new QuotaMeta(next, day, pushes);
  }

  /** Returns this on another day, on which nobody has pushed yet. */
  public QuotaMeta on(String nextDay) {
    Map<String, Pushes> next = new LinkedHashMap<>();
    pushes.forEach((user, before) -> next.put(
        user, new Pushes(0, before.lastAt(), before.lastReadOnlyAt(), before.busyUntil())));
    return new QuotaMeta(cooldown, nextDay, next);
  }

  public QuotaMeta with(String userId, Pushes theirs) {
    Map<String, Pushes> next = new LinkedHashMap<>(pushes);
    next.put(userId, theirs);
    return new QuotaMeta(cooldown, day, next);
  }

  public String write(Mode mode) {
    Map<String, Object> people = new LinkedHashMap<>();
    pushes.forEach((user, theirs) -> {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("pushesToday", theirs.today());
      entry.put("lastPushAtMs", theirs.lastAt());
      entry.put("lastReadOnlyPushAtMs", theirs.lastReadOnlyAt());
      entry.put("pushingUntilMs", theirs.busyUntil());
      people.put(user, entry);
    });
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schemaVersion", 1);
    json.put("mode", mode.id);
    json.put("disabledUntilMs", cooldown.until());
    json.put("nextProbeAtMs", cooldown.nextProbe());
    json.put("cooldownLevel", cooldown.level());
    json.put("writesRefused", cooldown.writesRefused() ? 1 : 0);
    json.put("lastQuotaErrorAtMs", cooldown.lastErrorAt());
    json.put("dayKeyUtc", day);
    json.put("people", people);
    return Json.write(json);
  }

  /** Returns what {@code text} says; whatever is missing or wrong counts as never set. */
  public static QuotaMeta read(@Nullable String text) {
    Map<String, Object> json = text == null ? null : Json.parseObject(text);
    if (json == null || number(json, "schemaVersion") != 1) {
      return NEW;
    }
    boolean limited = Mode.QUOTA_LIMITED.id.equals(json.get("mode"));
    boolean writesRefused = number(json, "writesRefused") == 1;
    long until = number(json, "disabledUntilMs");
    int level = count(json, "cooldownLevel");
    Cooldown cooldown = new Cooldown(
        limited ? (until == 0 ? 1 : until) : 0,
        limited ? number(json, "nextProbeAtMs") : 0,
        limited ? Math.max(level, 1) : level,
        writesRefused,
        number(json, "lastQuotaErrorAtMs"));
    Map<String, Object> people = Json.object(json.get("people"));
    Map<String, Pushes> pushes = new LinkedHashMap<>();
    if (people != null) {
      people.forEach((user, value) -> {
        Map<String, Object> theirs = Json.object(value);
        if (theirs != null) {
          pushes.put(
              user,
              new Pushes(
                  count(theirs, "pushesToday"),
                  number(theirs, "lastPushAtMs"),
                  number(theirs, "lastReadOnlyPushAtMs"),
                  number(theirs, "pushingUntilMs")));
        }
      });
    }
    String day = json.get("dayKeyUtc") instanceof String key ? key : "";
    return new QuotaMeta(cooldown.level() > 0 ? cooldown : Cooldown.NONE, day, pushes);
  }

  private static int count(Map<String, Object> json, String name) {
    return (int) Math.min(number(json, name), 1_000_000);
  }

  private static long number(Map<String, Object> json, String name) {
    Long value = Json.whole(json.get(name));
    return value == null ? 0 : value;
  }
}
