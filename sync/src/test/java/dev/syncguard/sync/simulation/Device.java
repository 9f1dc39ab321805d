package dev.syncguard.sync.simulation;

import dev.syncguard.sync.Http;
import dev.syncguard.sync.Site;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A browser: what it keeps on disk, what its tabs share, its clock, and who is logged in. */
final class Device {

  private static final long HOUR = 3_600_000;

  /** How well the tabs of a device can talk to each other. */
  enum SharedStorage {
    WORKS,
    FORGETS,
    THROWS
  }

  final World world;
  final String name;
  final SharedStorage sharedStorage;
  final boolean hasLocks;
  final Map<String, String> values = new HashMap<>();
  final Map<String, String> shared = new HashMap<>();
  final Map<String, Tab> locks = new HashMap<>();
  final Map<Site, String> sessions = new EnumMap<>(Site.class);
  final List<Tab> tabs = new ArrayList<>();

  /** How many pushes of a day the server has confirmed to a tab that lived on. */
  final Map<String, Integer> confirmedPushes = new HashMap<>();

  private final Map<Site, RememberedMeta> metas = new EnumMap<>(Site.class);
  private final Map<Site, Long> otherDirty = new EnumMap<>(Site.class);
  private final Map<Site, Integer> handovers = new EnumMap<>(Site.class);
  private final Map<Forum.Account, Pace> paces = new HashMap<>();
  private long clockError;

  /** Whose answers the device gets instead of the server's, or null. */
  @Nullable
  Supplier<Http.Answer> proxy;

  /** How long a value takes from a tab to the manager or back, or null if all tabs share one store. */
  @Nullable
  IntSupplier lateness;

  /** Whether a tab may be left with an earlier value of another one than its own. */
  boolean crossing;

  int clockJumps;
  int crashes;

  /** When a tab last died. */
  long crashedAt = Long.MIN_VALUE / 2;

  int mostTabs;
  boolean offline;

  Device(World world, String name, SharedStorage sharedStorage, boolean hasLocks, long clockError) {
    this.world = world;
    this.name = name;
    this.sharedStorage = sharedStorage;
    this.hasLocks = hasLocks;
    this.clockError = clockError;
  }

  long wallMillis() {
    return world.trueMillis() + clockError;
  }

  /** Returns whether the clock is so wrong that a document would seem to live longer than the rules allow, or to be dead. */
  boolean isFarOff() {
    return clockError >= 20 * HOUR || clockError <= -100 * 24 * HOUR;
  }

  /** Returns how fast somebody pushes from here, from all their tabs together. */
  Pace pace(Forum.Account account) {
    return paces.computeIfAbsent(account, unused -> new Pace());
  }

  /** Returns since when nothing but read marks has been waiting to be pushed. */
  long onlyReadDirtySince(Site site) {
    return otherDirty.getOrDefault(site, Long.MIN_VALUE / 2);
  }

  /** Takes note of what waits to be pushed. */
  void dirty(Site site, Set<Kind> kinds) {
    if (kinds.contains(Kind.LOAD_FROM) || kinds.contains(Kind.AUTHORS)) {
      otherDirty.put(site, world.now());
    }
  }

  /** Returns how often the state of a forum has passed from one reader to another. */
  int handovers(Site site) {
    return handovers.getOrDefault(site, 0);
  }

  void handedOver(Site site) {
    handovers.merge(site, 1, Integer::sum);
  }

  /** Returns how often something happened after which tabs need not remember how fast they may push. */
  int mishaps() {
    return crashes + clockJumps;
  }

  void jumpClock(long millis) {
    clockError += millis;
    clockJumps++;
  }

  Meta meta(Site site) {
    return metas
        .computeIfAbsent(site, unused -> new RememberedMeta())
        .of(values.get(Meta.key(site)));
  }

  @Nullable
  String session(Site site) {
    return sessions.get(site);
  }

  void opened(Tab tab) {
    tabs.add(tab);
    mostTabs = Math.max(mostTabs, tabs.size());
  }

  void gone(Tab tab) {
    tabs.remove(tab);
    locks.values().removeIf(holder -> holder == tab);
  }

  /** Keeps a value, and tells the other tabs a moment later. */
  void store(Tab by, String key, @Nullable String value) {
    Site changed = Meta.siteOf(key);
    Meta before = changed == null ? Meta.NONE : meta(changed);
    TabValues.put(values, key, value);
    if (changed != null) {
      by.stored(changed, before, meta(changed));
    }
    for (Tab tab : tabs) {
      if (tab != by) {
        tab.values.changed(key, value);
      }
    }
  }

  /** Sets the clock right. */
  void correctClock() {
    if (clockError != 0) {
      jumpClock(-clockError);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
