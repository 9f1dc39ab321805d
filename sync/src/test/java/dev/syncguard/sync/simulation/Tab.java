package dev.syncguard.sync.simulation;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.ForumIdentity;
import dev.syncguard.sync.Listener;
import dev.syncguard.sync.MutualExclusion;
import dev.syncguard.sync.Random;
import dev.syncguard.sync.SharedStore;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncPorts;
import dev.syncguard.sync.SyncStatus;
import dev.syncguard.sync.Timers;
import dev.syncguard.sync.replay.RecordedEngine;
import dev.syncguard.sync.replay.Settings;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One engine and everything it can reach. It may die at any moment at which it reaches for something. */
final class Tab {

  /** Ends whatever a dead tab was doing. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("crash", null, false, false);
    }
  }

  /** What a page gets that may not store anything. It is asked at every step, so the stack would be a tenth of all time. */
  private static final class StorageDisabled extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    StorageDisabled() {
      super("The storage of this page is disabled");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }

  final Device device;
  final Site site;
  final String name;
  final Traffic traffic;
  final TabValues values;
  final RecordedEngine engine;
  private final RememberedMeta seenMeta = new RememberedMeta();
  private final World world;
  private final Scene scene;
  private final long startedAt;
  private boolean alive = true;
  private int stepsToCrash = -1;

  /** Whoever sits before the tab: the owner of what it showed first, then whom the forum has named; or null. */
  private @Nullable String person;

  private int handovers;

  /** After how many changes of hands the forum has said who is reading, too late to be believed at once. */
  private int toldLate = -1;

  boolean resetting;

  /** Whether the reader was told that the last thing they said was not kept. */
  boolean refused;

  /** Whether its reset has emptied the device; what other tabs say from then on is said after it. */
  boolean emptied;

  Tab(Scene scene, Device device, String name, Settings settings) {
    this.scene = scene;
    this.world = scene.world;
    this.device = device;
    this.site = settings.site();
    this.name = name;
    this.traffic = new Traffic(this, scene);
    this.startedAt = world.now() - world.below(1_000_000);
    this.values = new TabValues(this);
    device.opened(this);
    isUsedBy(device.meta(site).user());
    this.engine = new RecordedEngine(settings, ports(), scene.recorders.apply(settings));
  }

  /** Takes note of who reads here now, knowing how often the device has changed hands. */
  void isUsedBy(@Nullable String reader) {
    person = reader;
    handovers = device.handovers(site);
  }

  @Nullable
  String person() {
    return person;
  }

  /** Returns whether the device has become somebody else's since: nothing that is done here may have an effect. */
  boolean isStrange() {
    return handovers != device.handovers(site);
  }

  /** Takes note that the forum has named the reader. An answer from before a change of hands only makes the tab ask again. */
  boolean isTold() {
    boolean believed = !isStrange() || toldLate == device.handovers(site);
    toldLate = device.handovers(site);
    return believed;
  }

  boolean isAlive() {
    return alive;
  }

  /** Returns what the tab can know about the state of its device. */
  Meta meta() {
    return device.lateness == null ? device.meta(site) : seenMeta.of(values.get(Meta.key(site)));
  }

  /** Lets the tab do something. Returns whether it is alive afterwards. */
  boolean act(Runnable work) {
    if (alive) {
      refused = false;
      try {
        work.run();
      } catch (Crash e) {
        // Nobody is left to care.
      }
    }
    return alive;
  }

  /** Makes the tab die when it has reached for so many more things. */
  void crashAfter(int steps) {
    stepsToCrash = steps;
  }

  void crash() {
    world.say(() -> name + " crashes");
    device.crashes++;
    device.crashedAt = world.now();
    disappear();
  }

  /** Closes the tab in an orderly way. */
  void close() {
    act(engine::stop);
    disappear();
  }

  private void disappear() {
    alive = false;
    scene.ledger.left(this);
    device.gone(this);
  }

  /** Called whenever the engine reaches for something outside: the moments at which it can die. */
  void reach() {
    if (alive && stepsToCrash-- == 0) {
      crash();
    }
    if (!alive) {
      throw new Crash();
    }
  }

  private SyncPorts ports() {
    return new SyncPorts(
        (request, callback) -> {
          reach();
          scene.network.send(this, request, callback);
        },
        this::schedule,
        clocks(),
        values,
        shared(),
        this::tryEnter,
        forum(),
        chance(),
        listener());
  }

  private Timers.Timer schedule(long delayMillis, Runnable task) {
    reach();
    boolean[] cancelled = {false};
    world.after(delayMillis, () -> {
      if (!cancelled[0]) {
        act(task);
      }
    });
    return () -> cancelled[0] = true;
  }

  private Clocks clocks() {
    return new Clocks() {
      @Override
      public long wallMillis() {
        return device.wallMillis();
      }

      @Override
      public long monotonicMillis() {
        return world.now() - startedAt;
      }
    };
  }

  /** Takes note of what the device now knows about its state, because of this tab. */
  void stored(Site changed, Meta before, Meta after) {
    device.dirty(changed, before.dirty());
    device.dirty(changed, after.dirty());
    // A reset also takes what other tabs of the device have said since it was asked for.
    boolean empties = !before.emptying() && after.emptying();
    if (empties) {
      scene.ledger.emptied(this, new Ledger.Place(device, changed));
    }
    emptied |= empties && resetting;
    scene.ledger.metaWritten(this, device, changed, before, after);
  }

  /** Takes note of what the tab has just written, although nobody else can see it yet. */
  void wrote(String key) {
    if (key.equals(Meta.key(site))) {
      Meta meta = meta();
      emptied |= meta.emptying() && resetting;
      if (meta.user() != null) {
        person = meta.user();
        scene.ledger.claimed(this, meta.user());
      }
    }
  }

  void noticeSwitch(String key) {
    if (isSwitch(site, key)) {
      traffic.forget();
    }
  }

  /** Returns whether under the key it is stored whether the forum is synced. */
  static boolean isSwitch(Site site, String key) {
    return key.equals(site.keyPrefix() + "power-reader-sync-enabled");
  }

  private SharedStore shared() {
    return new SharedStore() {
      @Override
      public @Nullable String get(String key) {
        works();
        return device.shared.get(key);
      }

      @Override
      public void set(String key, String value) {
        works();
        if (device.sharedStorage == Device.SharedStorage.WORKS) {
          device.shared.put(key, value);
        }
      }

      @Override
      public void remove(String key) {
        works();
        device.shared.remove(key);
      }

      private void works() {
        reach();
        if (device.sharedStorage == Device.SharedStorage.THROWS) {
          throw new StorageDisabled();
        }
      }
    };
  }

  private void tryEnter(String lock, MutualExclusion.Outcome outcome) {
    reach();
    if (!device.hasLocks) {
      outcome.unavailable();
      return;
    }
    world.after(
        world.below(5),
        () -> act(() -> {
          if (device.locks.containsKey(lock)) {
            outcome.busy();
          } else {
            device.locks.put(lock, this);
            outcome.entered(() -> device.locks.remove(lock, this));
          }
        }));
  }

  private ForumIdentity forum() {
    return new ForumIdentity() {
      @Override
      public void currentUser(Consumer<Answer> callback) {
        reach();
        scene.network.askForum(Tab.this, callback);
      }

      @Override
      public void updateOverrides(String userId, String overrides, Consumer<Answer> callback) {
        reach();
        scene.network.tellForum(Tab.this, userId, overrides, callback);
      }
    };
  }

  private Random chance() {
    java.util.Random random = new java.util.Random(world.random.nextLong());
    return new Random() {
      @Override
      public String uuid() {
        return new UUID(random.nextLong(), random.nextLong()).toString();
      }

      @Override
      public int below(int bound) {
        return random.nextInt(bound);
      }
    };
  }

  private Listener listener() {
    return new Listener() {
      @Override
      public void statusChanged(SyncStatus status) {
        scene.secrecy.check("a status", status.toString());
        world.say(() -> name + " shows \"" + status.text() + "\"");
        traffic.shows(status);
      }

      @Override
      public void notice(String text) {
        scene.secrecy.check("a notice", text);
        refused |= text.contains("this change was not kept");
      }

      @Override
      public void log(Level level, String text) {
        scene.secrecy.check("the log", text);
        world.say(() -> name + " logs: " + text);
        Violation.unless(
            !text.startsWith("Sync failed unexpectedly"),
            "sync never fails unexpectedly",
            () -> name + ": " + text);
      }
    };
  }

  @Override
  public String toString() {
    return name;
  }
}
