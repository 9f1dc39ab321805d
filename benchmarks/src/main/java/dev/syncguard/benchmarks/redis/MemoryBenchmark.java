package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.HeldLeases;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.lock.redis.RedisLockBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a held lease weighs, in the heap and at the server. */
final class MemoryBenchmark {

  // Rounds hardly differ.
  private static final int ROUNDS = 1;
  private static final int KEYS_PER_LEASE = 3;
  private static final Target HEAP = Target.below(1024);
  private static final Target STORED = Target.atMost(600);

  private final Topic.Setting setting;
  private final RedisServer server;

  MemoryBenchmark(Topic.Setting setting, RedisServer server) {
    this.setting = setting;
    this.server = server;
  }

  Section measure() throws InterruptedException {
    int leases = setting.pace().leases();
    List<Double> heap = new ArrayList<>();
    List<Double> stored = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      setting.progress().accept("Held leases, round " + round + " of " + ROUNDS);
      server.forgetEverything();
      try (RedisLockBackend backend = RedisLockBackend.connect(server.url())) {
        long before = server.datasetBytes();
        heap.add(HeldLeases.heapBytesEach(backend, leases));
        long after = server.datasetBytes();
        stored.add((double) (after - before) * KEYS_PER_LEASE / server.keys());
      }
    }
    Quartiles heapBytes = Quartiles.of(heap);
    Quartiles storedBytes = Quartiles.of(stored);
    return new Section(
        "Held leases",
        "So many leases held at once by one `Locks`: the heap in use after collecting garbage, less what it"
            + " was before, and the memory that the server uses, less what it used before, divided by their"
            + " number. At the server a lease is a record, an index entry and the counter of its fence, which"
            + " stays.",
        List.of("leases held", "heap bytes each", "server bytes each"),
        List.of(List.of(
            String.format("%,d", leases), Numbers.with(heapBytes), Numbers.with(storedBytes))),
        List.of(
            new Goal("bytes of heap per held lease", heapBytes, HEAP),
            new Goal("bytes at the server per held lock", storedBytes, STORED)),
        List.of(
            new Panel(
                "Bytes of heap per held lease",
                List.of(new Bar(RedisTopic.OURS, heapBytes, true)),
                Optional.of(HEAP)),
            new Panel(
                "Bytes at the server per held lock",
                List.of(new Bar(RedisTopic.OURS, storedBytes, true)),
                Optional.of(STORED))));
  }
}
