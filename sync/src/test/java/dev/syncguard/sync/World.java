package dev.syncguard.sync;

import dev.syncguard.sync.local.LocalStore;
import dev.syncguard.sync.local.SyncMetaJson;
import dev.syncguard.sync.remote.OperatorLimits;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.text.Iso;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.NullUnmarked;

/** A world on one thread whose time only passes when a test says so. */
@NullUnmarked
final class World {

  static final long BEGINNING = Iso.millis("2026-03-01T10:00:00.000Z");

  final FakeFirestore firestore = new FakeFirestore(this);
  final FakeForum forum = new FakeForum(this);
  private final PriorityQueue<Task> tasks = new PriorityQueue<>(
      Comparator.<Task>comparingLong(task -> task.at).thenComparingLong(task -> task.order));
  private long now;
  private long order;
  private int uuids;
  private int dice;

  /** Whether chance differs from call to call; otherwise it is always the least. */
  boolean rolling;

  /** The true time. */
  long trueMillis() {
    return BEGINNING + now;
  }

  long elapsed() {
    return now;
  }

  Timers.Timer schedule(long delay, Runnable run) {
    Task task = new Task(now + Math.max(delay, 0), order++, run);
    tasks.add(task);
    return () -> task.run = null;
  }

  /** Lets time pass and everything happen that is due. */
  void pass(long millis) {
    long until = now + millis;
    while (!tasks.isEmpty() && tasks.peek().at <= until) {
      Task task = tasks.poll();
      now = Math.max(now, task.at);
      Runnable run = task.run;
      if (run != null) {
        run.run();
      }
    }
    now = until;
  }

  void passSeconds(long seconds) {
    pass(seconds * 1000);
  }

  void passMinutes(long minutes) {
    pass(minutes * 60_000);
  }

  String uuid() {
    String tail = Integer.toHexString(++uuids);
    return "00000000".substring(tail.length()) + tail + "-0000-4000-8000-000000000000";
  }

  private static final class Task {
    final long at;
    final long order;
    Runnable run;

    Task(long at, long order, Runnable run) {
      this.at = at;
      this.order = order;
      this.run = run;
    }
  }

  Device device() {
    return new Device();
  }

  /** Returns what the user's document holds. */
  SyncedFields stored() {
    return firestore.stored(forum.node()).fields();
  }

  /** Returns the epochs of read marks, date and preferences in the user's document. */
  List<Integer> storedEpochs() {
    return List.of(
        stored().read().clearEpoch(),
        stored().loadFrom().clearEpoch(),
        stored().authorPrefs().clearEpoch());
  }

  /** Ends whatever a tab was doing; not an exception, because the engine gets over those. */
  static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** A browser with its stores, its clock and any number of tabs. */
  final class Device {
    final Map<String, String> values = new HashMap<>();
    final Map<String, String> shared = new HashMap<>();
    final List<Tab> tabs = new ArrayList<>();
    boolean sharedIsBroken;

    /** How long a value takes from a tab to the userscript manager, and from there to another tab. */
    long lateness;

    boolean valuesCannotBeStored;
    MutualExclusion exclusion = MutualExclusion.none();
    long clockError;
    Http http = firestore;

    /** The key at whose writing a tab dies, before anything is stored. */
    String diesAt = "";

    Tab tab() {
      return tab(Site.LESSWRONG);
    }

    Tab tab(Site site) {
      return tab(config(site).build());
    }

    Tab tab(SyncConfig config) {
      Tab tab = new Tab(this, config);
      tabs.add(tab);
      return tab;
    }

    /** Opens a tab and lets it start. */
    Tab started() {
      Tab tab = tab();
      tab.start();
      pass(1_000);
      return tab;
    }

    /** Opens the reset page, a tab that does nothing but reset, and lets it come to its end. */
    Tab resetPage() {
      Tab page = tab();
      page.reset();
      passSeconds(20);
      return page;
    }

    SyncMeta meta() {
      String deviceId = values.get("power-reader-device-id");
      return SyncMetaJson.read(values.get("power-reader-sync-meta"), deviceId::equals, deviceId);
    }

    /** Returns the stores of the device, as another tab would see them. */
    LocalStore local() {
      return new LocalStore(
          Site.LESSWRONG,
          new Values(this, new Tab(this, config(Site.LESSWRONG).build())),
          SharedStore.none(),
          new DeviceTime(this),
          new Dice());
    }

    /** Returns what the operator asks of this device, as it remembers it. */
    OperatorLimits operatorLimits(SyncConfig own, String key) {
      Tab tab = new Tab(this, own);
      return new OperatorLimits(own.settings, new Values(this, tab), key, new DeviceTime(this));
    }

    /** Changes the stored meta as nobody but a test can. */
    void meddle(UnaryOperator<SyncMeta> change) {
      values.put("power-reader-sync-meta", SyncMetaJson.write(change.apply(meta())));
    }

    boolean dirty(SyncedField field) {
      return meta().field(field).dirty();
    }

    long wall() {
      return trueMillis() + clockError;
    }
  }

  static SyncConfig.Builder config(Site site) {
    return SyncConfig.builder(site)
        .project("demo", "the-api-key")
        .endpoint("http://127.0.0.1:1/v1");
  }

  /** One tab with everything it said. */
  final class Tab {
    final Device device;
    final PersistenceSync sync;
    final List<StartOutcome> outcomes = new ArrayList<>();
    final List<ResetOutcome> resets = new ArrayList<>();
    final List<String> notices = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    final List<SyncStatus> statuses = new ArrayList<>();
    final List<SyncedField> applied = new ArrayList<>();
    private Values values;

    Tab(Device device, SyncConfig config) {
      this.device = device;
      SyncPorts ports = new SyncPorts(
          (request, callback) -> device.http.send(request, callback),
          World.this::schedule,
          new DeviceTime(device),
          new Values(device, this),
          new FakeLocalStorage(device),
          device.exclusion,
          forum,
          new Dice(),
          new TabListener(this));
      this.sync = new PersistenceSync(config, ports);
    }

    void start() {
      sync.start(outcomes::add);
    }

    void read(String... ids) {
      sync.reader().markRead(List.of(ids));
    }

    String label() {
      return sync.status().text();
    }

    void reset() {
      sync.reset(resets::add);
    }

    /** Lets a tab vanish: nothing of it is ever heard again. */
    void close() {
      sync.stop();
      device.tabs.remove(this);
    }
  }

  private final class Dice implements Random {
    @Override
    public String uuid() {
      return World.this.uuid();
    }

    @Override
    public int below(int bound) {
      dice += 7_919;
      return rolling ? dice % bound : 0;
    }
  }

  private static final class DeviceTime implements Clocks {
    private final Device device;

    DeviceTime(Device device) {
      this.device = device;
    }

    @Override
    public long wallMillis() {
      return device.wall();
    }

    @Override
    public long monotonicMillis() {
      return device.wall() - device.clockError - BEGINNING + 1_000_000;
    }
  }

  private final class Values implements KeyValueStore {
    private final Device device;
    private final Tab owner;
    private Consumer<String> listener = key -> {};
    private final Map<String, String> view;
    private final Map<String, Integer> underWay = new HashMap<>();

    Values(Device device, Tab owner) {
      this.device = device;
      this.owner = owner;
      this.view = device.lateness == 0 ? device.values : new HashMap<>(device.values);
    }

    @Override
    public String get(String key) {
      return view.get(key);
    }

    @Override
    public void set(String key, String value) {
      if (key.equals(device.diesAt)) {
        throw new Death();
      }
      if (device.valuesCannotBeStored) {
        throw new IllegalStateException("disk full");
      }
      write(key, value);
    }

    @Override
    public void remove(String key) {
      if (key.equals(device.diesAt)) {
        throw new Death();
      }
      write(key, null);
    }

    private void write(String key, String value) {
      put(view, key, value);
      if (device.lateness == 0) {
        others().forEach(other -> other.listener.accept(key));
        return;
      }
      underWay.merge(key, 1, Integer::sum);
      schedule(device.lateness, () -> {
        underWay.merge(key, -1, Integer::sum);
        put(device.values, key, value);
        others().forEach(other -> schedule(device.lateness, () -> other.see(key, value)));
      });
    }

    private void see(String key, String value) {
      if (underWay.getOrDefault(key, 0) == 0 && device.tabs.contains(owner)) {
        put(view, key, value);
        listener.accept(key);
      }
    }

    private List<Values> others() {
      return device.tabs.stream()
          .filter(tab -> tab != owner && tab.values != null)
          .map(tab -> tab.values)
          .toList();
    }

    private static void put(Map<String, String> values, String key, String value) {
      if (value == null) {
        values.remove(key);
      } else {
        values.put(key, value);
      }
    }

    @Override
    public void onForeignChange(Consumer<String> heard) {
      listener = heard;
      owner.values = this;
    }
  }

  private static final class TabListener implements Listener {
    private final Tab tab;

    TabListener(Tab tab) {
      this.tab = tab;
    }

    @Override
    public void statusChanged(SyncStatus status) {
      tab.statuses.add(status);
    }

    @Override
    public void applied(Set<SyncedField> fields) {
      tab.applied.addAll(fields);
    }

    @Override
    public void notice(String text) {
      tab.notices.add(text);
    }

    @Override
    public void log(Level level, String text) {
      tab.log.add(text);
    }
  }
}
