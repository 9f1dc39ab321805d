package dev.syncguard.sync.local;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.Random;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The id of this device, made up by its first tab. Two tabs that are the first together each make one up before they hear
 * of the other's; then both are this device, and they agree on the lesser one.
 */
final class DeviceIds {

  private static final int LONGEST = 96;

  /** When an id was made up that this tab has found: long before any clock began to count. */
  private static final long LONG_AGO = -Long.MAX_VALUE / 4;

  private final KeyValueStore store;
  private final String key;
  private final Clocks clocks;
  private final long madeUpAt;
  private final Set<String> known = new LinkedHashSet<>();
  private String current;
  private boolean notAlone;

  DeviceIds(KeyValueStore store, String key, Clocks clocks, Random random) {
    this.store = store;
    this.key = key;
    this.clocks = clocks;
    String stored = stored();
    madeUpAt = stored == null ? clocks.monotonicMillis() : LONG_AGO;
    if (stored == null) {
      stored = random.uuid();
      store.set(key, stored);
    }
    current = stored;
    known.add(stored);
  }

  private @Nullable String stored() {
    String stored = store.get(key);
    return stored == null || stored.isEmpty() || stored.length() > LONGEST ? null : stored;
  }

  String current() {
    return current;
  }

  /** Returns whether what bears {@code id} was written on this device. */
  boolean isOurs(@Nullable Object id) {
    if (id instanceof String text && notAlone && isFirst()) {
      // The id that another first tab has made up may never be seen, only what it has written.
      agreeOn(text);
    }
    return id instanceof String text && known.contains(text);
  }

  /** Takes note that another tab has written something, perhaps an id. */
  void heard() {
    notAlone = true;
    String stored = stored();
    if (stored != null && isFirst()) {
      agreeOn(stored);
    } else if (stored != null) {
      known.add(stored);
      current = stored;
    }
  }

  private boolean isFirst() {
    return clocks.monotonicMillis() - madeUpAt < LatestTurn.PROPAGATION;
  }

  private void agreeOn(String id) {
    boolean isNew = known.add(id);
    current = id.compareTo(current) < 0 ? id : current;
    if (isNew || !current.equals(stored())) {
      // Whatever this tab is shown, the manager may hold the other one: it must be told.
      store.remove(key);
      store.set(key, current);
    }
  }
}
