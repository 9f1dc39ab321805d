package dev.syncguard.benchmarks.postgres;

import dev.syncguard.benchmarks.HeldLeases;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.lock.jdbc.PostgresLockBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a held lease weighs, in the heap and in the database. */
final class MemoryBenchmark {

  // Rounds hardly differ.
  private static final int ROUNDS = 1;

  // Each waits for the disk.
  private static final int MOST_LEASES = 5_000;
  private static final Target HEAP = Target.below(1024);

  private final Topic.Setting setting;
  private final PostgresServer server;

  MemoryBenchmark(Topic.Setting setting, PostgresServer server) {
    this.setting = setting;
    this.server = server;
  }

  Section measure() throws InterruptedException {
    int leases = Math.min(MOST_LEASES, setting.pace().leases());
    List<Double> heap = new ArrayList<>();
    List<Double> stored = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      setting.progress().accept("Held leases, round " + round + " of " + ROUNDS);
      server.execute("TRUNCATE syncguard_locks, syncguard_fence_counters");
      try (PostgresLockBackend backend = PostgresLockBackend.connect(server.url())) {
        heap.add(HeldLeases.heapBytesEach(backend, leases));
      }
      stored.add(server.number(
          "SELECT (pg_total_relation_size('syncguard_locks') + pg_total_relation_size('syncguard_fence_counters'))"
              + " / (SELECT count(*) FROM syncguard_fence_counters)"));
    }
    Quartiles heapBytes = Quartiles.of(heap);
    return new Section(
        "Held leases",
        "So many leases held at once by one `Locks`: the heap in use after collecting garbage, less what it"
            + " was before, divided by their number, and the size of the tables with their indexes, divided by"
            + " the number of their rows.",
        List.of("leases held", "heap bytes each", "bytes in the database each"),
        List.of(List.of(
            String.format("%,d", leases),
            Numbers.with(heapBytes),
            Numbers.with(Quartiles.of(stored)))),
        List.of(new Goal("bytes of heap per held lease", heapBytes, HEAP)),
        List.of(new Panel(
            "Bytes of heap per held lease",
            List.of(new Bar(PostgresTopic.OURS, heapBytes, true)),
            Optional.of(HEAP))));
  }
}
