package dev.syncguard.sync;

import org.jspecify.annotations.Nullable;

/**
 * How often this device may still ask the server: a circuit breaker for the project's quota, which nobody can look up, and
 * a budget of its own so that one reader does not use up everybody's.
 */
final class Quota {

  private static final long MINUTE = 60_000;
  private static final long[] COOLDOWNS = {5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 360 * MINUTE};
  private static final int JITTER = 60_000;
  private static final long PROBE_LEASE = 30_000;
  private static final long DAY = 86_400_000;

  /** How far the day's budget is used up. */
  enum Budget {
    PLENTY,
    LOW,
    SPENT
  }

  private final KeyValueStore store;
  private final String key;
  private final Time time;
  private final Random random;
  private final SyncConfig config;
  private @Nullable TabKeys tabs;

  Quota(KeyValueStore store, String key, Time time, Random random, SyncConfig config) {
    this.store = store;
    this.key = key;
    this.time = time;
    this.random = random;
    this.config = config;
  }

  void shareWith(TabKeys keys) {
    tabs = keys;
  }

  /** Returns whether the server has sent us or another tab away, and nobody has seen it recover yet. */
  boolean limited() {
    return meta().mode() == QuotaMeta.Mode.QUOTA_LIMITED || sharedLeft() > 0;
  }

  /** Returns for how long nothing may be asked. When it is over, one tab may probe. */
  long waitMillis() {
    QuotaMeta meta = meta();
    long own = meta.mode() == QuotaMeta.Mode.QUOTA_LIMITED ? left(meta.nextProbe()) : 0;
    return Math.max(own, sharedLeft());
  }

  private long sharedLeft() {
    Long shared = tabs == null ? null : tabs.quotaRetryAt();
    return shared == null ? 0 : left(shared);
  }

  // A moment further away than any cooldown was written under another clock.
  private long left(long until) {
    long left = until - time.wallMillis();
    return left > COOLDOWNS[COOLDOWNS.length - 1] + JITTER ? 0 : Math.max(left, 0);
  }

  /** Takes the right to probe from the other tabs for a while. Call when {@link #waitMillis} is 0. */
  void takeProbe() {
    long until = time.wallMillis() + PROBE_LEASE;
    QuotaMeta meta = meta();
    set(new QuotaMeta(
        meta.mode(),
        meta.disabledUntil(),
        until,
        meta.level(),
        meta.day(),
        meta.pushes(),
        meta.lastErrorAt()));
    if (tabs != null) {
      tabs.setQuotaRetryAt(until);
    }
  }

  /** Takes note that the server is out of quota. */
  void hit() {
    QuotaMeta meta = meta();
    long now = time.wallMillis();
    if (meta.mode() == QuotaMeta.Mode.QUOTA_LIMITED && left(meta.disabledUntil()) > 0) {
      // An answer to a request from before the cooldown, or to another tab's.
      return;
    }
    int level = meta.mode() == QuotaMeta.Mode.QUOTA_LIMITED ? meta.level() + 1 : 1;
    long until = now + COOLDOWNS[Math.min(level, COOLDOWNS.length) - 1] + random.below(JITTER + 1);
    set(new QuotaMeta(
        QuotaMeta.Mode.QUOTA_LIMITED, until, until, level, meta.day(), meta.pushes(), now));
    if (tabs != null) {
      tabs.setQuotaRetryAt(until);
    }
  }

  /** Takes note that the server has answered, and returns whether that ends a cooldown. */
  boolean answered() {
    QuotaMeta meta = meta();
    if (meta.mode() != QuotaMeta.Mode.QUOTA_LIMITED || left(meta.disabledUntil()) > 0) {
      // Also not an answer to a request that was under way when the cooldown began.
      return false;
    }
    if (tabs != null) {
      tabs.quotaIsOver();
    }
    set(withPushes(meta, meta.day(), meta.pushes(), 0));
    return true;
  }

  /** Counts a push. */
  void countPush() {
    QuotaMeta meta = meta();
    String today = Iso.day(time.wallMillis());
    // A clock that goes back does not give the day's pushes back.
    boolean sameDay = meta.day().compareTo(today) >= 0;
    set(withPushes(
        meta, sameDay ? meta.day() : today, sameDay ? meta.pushes() + 1 : 1, meta.level()));
  }

  private QuotaMeta withPushes(QuotaMeta meta, String day, int pushes, int level) {
    boolean limited = meta.mode() == QuotaMeta.Mode.QUOTA_LIMITED && level > 0;
    QuotaMeta.Mode mode = limited
        ? QuotaMeta.Mode.QUOTA_LIMITED
        : pushes >= config.softBudget ? QuotaMeta.Mode.BUDGET_LIMITED : QuotaMeta.Mode.NORMAL;
    return new QuotaMeta(
        mode,
        limited ? meta.disabledUntil() : 0,
        limited ? meta.nextProbe() : 0,
        level,
        day,
        pushes,
        meta.lastErrorAt());
  }

  Budget budget() {
    int pushes = pushesToday();
    return pushes >= config.hardBudget
        ? Budget.SPENT
        : pushes >= config.softBudget ? Budget.LOW : Budget.PLENTY;
  }

  int pushesToday() {
    QuotaMeta meta = meta();
    return meta.day().compareTo(Iso.day(time.wallMillis())) >= 0 ? meta.pushes() : 0;
  }

  /** Returns how long the day still is in UTC. */
  long untilTomorrowMillis() {
    return DAY - Math.floorMod(time.wallMillis(), DAY);
  }

  private QuotaMeta meta() {
    return QuotaMeta.read(store.get(key));
  }

  private void set(QuotaMeta meta) {
    store.set(key, meta.write());
  }
}
