package dev.syncguard.sync.remote;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.Random;
import dev.syncguard.sync.local.TabKeys;
import dev.syncguard.sync.state.SessionSettings;
import dev.syncguard.sync.text.Iso;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How often this device may still ask the server: a circuit breaker for the project's quota, which nobody can look up, and
 * a budget for each person so that one reader does not use up everybody's.
 *
 * <p>Days are the server's: a device whose clock is years off would otherwise count on a day that never ends.
 */
public final class Quota {

  private static final long MINUTE = 60_000;
  private static final long[] COOLDOWNS = {5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 360 * MINUTE};
  private static final int JITTER = 60_000;
  private static final long PROBE_LEASE = 30_000;
  private static final long PUSH_LEASE = 20_000;
  private static final long DAY = 86_400_000;

  /** How far the day's budget is used up. */
  public enum Budget {
    PLENTY,
    LOW,
    SPENT
  }

  private final KeyValueStore store;
  private final String key;
  private final Clocks clocks;
  private final AnchoredClock clock;
  private final Random random;
  private final Supplier<SessionSettings> settings;
  private String userId = "";
  private @Nullable TabKeys tabs;

  // Everybody asks at every step: what was read last is kept, with the text it was read from.
  private @Nullable String metaText;
  private QuotaMeta metaValue = QuotaMeta.NEW;

  public Quota(
      KeyValueStore store,
      String key,
      Clocks clocks,
      AnchoredClock clock,
      Random random,
      Supplier<SessionSettings> settings) {
    this.store = store;
    this.key = key;
    this.clocks = clocks;
    this.clock = clock;
    this.random = random;
    this.settings = settings;
  }

  /** Counts for {@code user} from now on, and tells their other tabs through {@code keys}. */
  public void countFor(String user, TabKeys keys) {
    userId = user;
    tabs = keys;
  }

  /** Returns whether the server has sent us or another tab away, and nobody has seen it recover yet. */
  public boolean limited() {
    return meta().cooldown().isOn() || sharedLeft() > 0;
  }

  /** Returns whether it was a write that the server refused, so that only a write can show that it recovered. */
  public boolean writesRefused() {
    return meta().cooldown().writesRefused();
  }

  /** Returns for how long nothing may be asked. When it is over, one tab may probe. */
  public long waitMillis() {
    QuotaMeta.Cooldown cooldown = meta().cooldown();
    return Math.max(cooldown.isOn() ? left(cooldown.nextProbe()) : 0, sharedLeft());
  }

  private long sharedLeft() {
    Long shared = tabs == null ? null : tabs.quotaRetryAt();
    return shared == null ? 0 : left(shared);
  }

  // A moment further away than any cooldown was written under another clock.
  private long left(long until) {
    long left = until - clocks.wallMillis();
    return left > COOLDOWNS[COOLDOWNS.length - 1] + JITTER ? 0 : Math.max(left, 0);
  }

  /** Takes the right to probe from the other tabs for a while. Call when {@link #waitMillis} is 0. */
  public void takeProbe() {
    long until = clocks.wallMillis() + PROBE_LEASE;
    QuotaMeta meta = meta();
    QuotaMeta.Cooldown on = meta.cooldown();
    set(meta.with(new QuotaMeta.Cooldown(
        on.until(), until, on.level(), on.writesRefused(), on.lastErrorAt())));
    if (tabs != null) {
      tabs.setQuotaRetryAt(until);
    }
  }

  /** Takes note that the server is out of quota for reads or writes. */
  void hit(boolean write) {
    QuotaMeta meta = meta();
    QuotaMeta.Cooldown before = meta.cooldown();
    long now = clocks.wallMillis();
    if (before.isOn() && left(before.until()) > 0) {
      // An answer to a request from before the cooldown, or to another tab's.
      return;
    }
    int level = before.level() + 1;
    long until = now + COOLDOWNS[Math.min(level, COOLDOWNS.length) - 1] + random.below(JITTER + 1);
    set(meta.with(
        new QuotaMeta.Cooldown(until, until, level, write || before.writesRefused(), now)));
    if (tabs != null) {
      tabs.setQuotaRetryAt(until);
    }
  }

  /**
   * Takes note that the server has done something for us.
   *
   * @param written whether that was a write; otherwise it proves nothing about refused writes
   * @param nothingToWrite whether no write could prove more, so that there is nothing to wait for
   */
  public void answered(boolean written, boolean nothingToWrite) {
    QuotaMeta meta = meta();
    QuotaMeta.Cooldown on = meta.cooldown();
    boolean recovered = written || !on.writesRefused();
    QuotaMeta.Cooldown next = recovered ? QuotaMeta.Cooldown.NONE : on.over();
    if (next.equals(on) || left(on.until()) > 0 || !(recovered || nothingToWrite)) {
      // Also not an answer to a request that was under way when the cooldown began.
      return;
    }
    if (tabs != null) {
      tabs.quotaIsOver();
    }
    set(meta.with(next));
  }

  /** Keeps the other tabs of this person from pushing at the same time, until the push is over or seems lost. */
  public void beginPush() {
    QuotaMeta meta = today();
    set(meta.with(userId, meta.pushesOf(userId).busyUntil(clocks.wallMillis() + PUSH_LEASE)));
  }

  /** Lets other tabs push again. */
  public void endPush() {
    QuotaMeta meta = today();
    set(meta.with(userId, meta.pushesOf(userId).busyUntil(0)));
  }

  /** Returns for how long another tab of this person may still be pushing. */
  public long busyMillis() {
    long left = meta().pushesOf(userId).busyUntil() - clocks.wallMillis();
    // A moment further away than any lease was written under another clock.
    return left > PUSH_LEASE ? 0 : Math.max(left, 0);
  }

  /** Counts a push. */
  public void countPush(boolean readOnly) {
    QuotaMeta meta = today();
    QuotaMeta.Pushes before = meta.pushesOf(userId);
    long now = clocks.wallMillis();
    set(meta.with(
        userId,
        new QuotaMeta.Pushes(
            before.today() + 1,
            now,
            readOnly ? now : before.lastReadOnlyAt(),
            before.busyUntil())));
  }

  public Budget budget() {
    return budget(today());
  }

  private Budget budget(QuotaMeta meta) {
    int pushes = meta.pushesOf(userId).today();
    return pushes >= settings.get().hardBudget
        ? Budget.SPENT
        : pushes >= settings.get().softBudget ? Budget.LOW : Budget.PLENTY;
  }

  public int pushesToday() {
    return today().pushesOf(userId).today();
  }

  /** Returns when this person last pushed from this device, on the wall clock. */
  public long lastPushAt() {
    return meta().pushesOf(userId).lastAt();
  }

  /** Returns when this person last pushed nothing but read marks from this device, on the wall clock. */
  public long lastReadOnlyPushAt() {
    return meta().pushesOf(userId).lastReadOnlyAt();
  }

  /** Returns how long the day still is in UTC. */
  public long untilTomorrowMillis() {
    return DAY - Math.floorMod(clock.nowMillis(), DAY);
  }

  // A clock that goes back does not give the day's pushes back. But once the server has told the
  // time,
  // a day that lies ahead was counted under a wrong clock, and is today.
  private QuotaMeta today() {
    QuotaMeta meta = meta();
    String today = Iso.day(clock.nowMillis());
    int order = meta.day().compareTo(today);
    if (order < 0) {
      return meta.on(today);
    }
    if (order > 0 && clock.isAnchored()) {
      QuotaMeta repaired = new QuotaMeta(meta.cooldown(), today, meta.pushes());
      set(repaired);
      return repaired;
    }
    return meta;
  }

  private QuotaMeta meta() {
    String text = store.get(key);
    if (!Objects.equals(text, metaText)) {
      metaText = text;
      metaValue = QuotaMeta.read(text);
    }
    return metaValue;
  }

  private void set(QuotaMeta meta) {
    QuotaMeta.Mode mode = meta.cooldown().isOn()
        ? QuotaMeta.Mode.QUOTA_LIMITED
        : budget(meta) == Budget.PLENTY ? QuotaMeta.Mode.NORMAL : QuotaMeta.Mode.BUDGET_LIMITED;
    store.set(key, meta.write(mode));
  }
}
