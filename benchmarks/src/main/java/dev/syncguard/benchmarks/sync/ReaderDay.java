package dev.syncguard.benchmarks.sync;

import dev.syncguard.sync.ForumIdentity;
import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.Listener;
import dev.syncguard.sync.MutualExclusion;
import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.Random;
import dev.syncguard.sync.SharedStore;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncConfig;
import dev.syncguard.sync.SyncPorts;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Days of a reader with a desktop and a telephone, as a script: three hours on the desktop, a mark every half minute, a
 * preference every twenty minutes; on the telephone a glance of five minutes every four hours.
 */
final class ReaderDay {

  private static final long MINUTE = 60_000;
  private static final String USER = "reader";
  private static final String SECRET =
      "{\"pr_sync_secret_v1\":\"00000000-0000-4000-8000-000000000000\"}";

  private final VirtualTime time = new VirtualTime();
  private final CountingFirestore firestore = new CountingFirestore(time);
  private final PersistenceSync desktop;
  private final PersistenceSync telephone;
  private int marks;
  private int preferences;

  /** Begins with so many marks and a tenth as many preferences that both devices know already. */
  ReaderDay(boolean probe, int marksBefore) {
    desktop = device(probe, 1);
    telephone = device(probe, 2);
    List<String> known = new ArrayList<>();
    for (int i = 0; i < marksBefore; i++) {
      known.add("known" + (100_000_000 + i));
    }
    desktop.start(outcome -> {});
    time.pass(MINUTE);
    desktop.reader().markRead(known);
    for (int i = 0; i < marksBefore / 10; i++) {
      desktop.reader().setAuthorPreference("known author " + i, 1);
    }
    time.pass(MINUTE);
    telephone.start(outcome -> {});
    time.pass(MINUTE);
    desktop.pageHidden();
    telephone.pageHidden();
    time.pass(10 * MINUTE);
    firestore.forgetCounts();
  }

  /**
   * What one day cost both devices together.
   *
   * @param cpuMillis on this machine
   */
  record Cost(int reads, int probes, int writes, long bytesDown, long bytesUp, double cpuMillis) {}

  Cost live() {
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int hour = 0; hour < 24; hour++) {
      boolean reading = hour == 2 || hour == 14 || hour == 15;
      if (reading) {
        sit(desktop, 60);
      }
      if (hour % 4 == 3) {
        sit(telephone, 5);
        time.pass(reading ? 0 : 55 * MINUTE);
      } else if (!reading) {
        time.pass(60 * MINUTE);
      }
    }
    double cpu = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e6;
    Cost cost = new Cost(
        firestore.reads,
        firestore.probes,
        firestore.writes,
        firestore.bytesDown,
        firestore.bytesUp,
        cpu);
    firestore.forgetCounts();
    return cost;
  }

  private void sit(PersistenceSync device, int minutes) {
    device.pageVisible();
    for (int half = 0; half < 2 * minutes; half++) {
      device.userActive();
      device.reader().markRead(List.of("new" + (100_000_000 + marks++)));
      if (half % 40 == 20) {
        device.reader().setAuthorPreference("author " + preferences++, 1);
      }
      time.pass(MINUTE / 2);
    }
    device.pageHidden();
  }

  private PersistenceSync device(boolean probe, int number) {
    SyncConfig config = SyncConfig.builder(Site.LESSWRONG)
        .project("demo", "key")
        .endpoint("http://127.0.0.1:1/v1")
        .metadataProbe(probe)
        .build();
    return new PersistenceSync(
        config,
        new SyncPorts(
            firestore,
            time,
            time,
            new Memory(),
            SharedStore.none(),
            MutualExclusion.none(),
            new Profile(),
            new Dice(number),
            new Listener() {}));
  }

  private static final class Memory implements KeyValueStore {
    private final Map<String, String> values = new HashMap<>();

    @Override
    public @Nullable String get(String key) {
      return values.get(key);
    }

    @Override
    public void set(String key, String value) {
      values.put(key, value);
    }

    @Override
    public void remove(String key) {
      values.remove(key);
    }

    @Override
    public void onForeignChange(Consumer<String> listener) {}
  }

  private final class Profile implements ForumIdentity {
    @Override
    public void currentUser(Consumer<Answer> callback) {
      time.after(50, () -> callback.accept(new User(USER, SECRET)));
    }

    @Override
    public void updateOverrides(String userId, String overrides, Consumer<Answer> callback) {
      throw new IllegalStateException("This reader has a secret");
    }
  }

  private static final class Dice implements Random {
    private final java.util.Random random;

    Dice(int seed) {
      random = new java.util.Random(seed);
    }

    @Override
    public String uuid() {
      return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    @Override
    public int below(int bound) {
      return random.nextInt(bound);
    }
  }
}
