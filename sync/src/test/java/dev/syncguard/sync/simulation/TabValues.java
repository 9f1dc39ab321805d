package dev.syncguard.sync.simulation;

import dev.syncguard.sync.KeyValueStore;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The values of a device as one tab sees them.
 *
 * <p>Where they are late, as userscript managers are, each tab has a copy of its own. What it writes, it sees at once; the
 * manager learns of it later and passes it on to the other tabs, later still. The manager goes by the order in which it
 * learns of things. So do the tabs, or, where values cross, two tabs that write at the same time are each left with the
 * other's value. Messages between a tab and the manager keep their order, and outlive the tab.
 */
final class TabValues implements KeyValueStore {

  private final Tab tab;
  private final Device device;
  private final World world;
  private final Map<String, String> view;
  private final Map<String, Integer> underWay = new HashMap<>();
  private long lastSent;
  private long lastHeard;
  private @Nullable Consumer<String> foreignChanges;

  TabValues(Tab tab) {
    this.tab = tab;
    this.device = tab.device;
    this.world = device.world;
    this.view = device.lateness == null ? device.values : new HashMap<>(device.values);
  }

  /** Returns all that the tab sees. Not to be changed. */
  Map<String, String> view() {
    return view;
  }

  @Override
  public @Nullable String get(String key) {
    return view.get(key);
  }

  @Override
  public void set(String key, String value) {
    tab.reach();
    tab.noticeSwitch(key);
    if (!value.equals(view.get(key))) {
      write(key, value);
    }
  }

  @Override
  public void remove(String key) {
    tab.reach();
    if (view.containsKey(key)) {
      write(key, null);
    }
  }

  @Override
  public void onForeignChange(Consumer<String> listener) {
    foreignChanges = listener;
  }

  private void write(String key, @Nullable String value) {
    world.say(() -> tab + " stores " + key + " = " + value);
    IntSupplier lateness = device.lateness;
    if (lateness == null) {
      device.store(tab, key, value);
      return;
    }
    put(view, key, value);
    tab.wrote(key);
    underWay.merge(key, 1, Integer::sum);
    lastSent = Math.max(lastSent + 1, world.now() + lateness.getAsInt());
    world.after(lastSent - world.now(), () -> {
      underWay.merge(key, -1, Integer::sum);
      world.say(() -> tab + " has stored " + key + " = " + value);
      device.store(tab, key, value);
    });
  }

  /** The manager passes on what another tab has stored. */
  void changed(String key, @Nullable String value) {
    IntSupplier lateness = device.lateness;
    if (lateness == null) {
      world.after(world.below(40), () -> hear(key));
      return;
    }
    lastHeard = Math.max(lastHeard + 1, world.now() + lateness.getAsInt());
    world.after(lastHeard - world.now(), () -> {
      // What this tab has written since comes later in the manager's order. Some managers let the
      // tab go by that, others
      // show it the earlier value from then on.
      if (tab.isAlive() && (device.crossing || underWay.getOrDefault(key, 0) == 0)) {
        world.say(() -> tab + " sees " + key + " = " + value);
        put(view, key, value);
        hear(key);
      }
    });
  }

  private void hear(String key) {
    tab.noticeSwitch(key);
    Consumer<String> listener = foreignChanges;
    if (listener != null) {
      tab.act(() -> listener.accept(key));
    }
  }

  static void put(Map<String, String> values, String key, @Nullable String value) {
    if (value == null) {
      values.remove(key);
    } else {
      values.put(key, value);
    }
  }
}
