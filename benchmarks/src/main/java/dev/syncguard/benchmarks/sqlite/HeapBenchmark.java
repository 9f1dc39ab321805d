package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.HeldLeases;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a held lease weighs, in the heap and in the file. */
final class HeapBenchmark {

  // Rounds hardly differ.
  private static final int ROUNDS = 1;
  private static final Target TARGET = Target.below(1024);

  private final Topic.Setting setting;

  HeapBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  Section measure() throws Exception {
    int leases = setting.pace().leases();
    List<Double> heap = new ArrayList<>();
    List<Double> stored = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      setting.progress().accept("Held leases, round " + round + " of " + ROUNDS);
      // In memory: what a lease weighs does not depend on the disk, but the time to take so many
      // does.
      Path file = setting.files().inMemory("held-" + round + ".db");
      try (SqliteLockBackend backend = SqliteLockBackend.open(file)) {
        heap.add(HeldLeases.heapBytesEach(backend, leases));
      }
      stored.add((double) Files.size(file) / leases);
    }
    Quartiles bytes = Quartiles.of(heap);
    return new Section(
        "Held leases",
        "So many leases held at once by one `Locks`: the heap in use after collecting garbage, less what"
            + " it was before, divided by their number. Key, id and all objects count.",
        List.of("leases held", "heap bytes each", "file bytes each"),
        List.of(List.of(
            String.format("%,d", leases), Numbers.with(bytes), Numbers.with(Quartiles.of(stored)))),
        List.of(new Goal("bytes of heap per held lease", bytes, TARGET)),
        List.of(new Panel(
            "Bytes of heap per held lease",
            List.of(new Bar("SyncGuard", bytes, true)),
            Optional.of(TARGET))));
  }
}
