package dev.syncguard.benchmarks.firestorelocks;

import dev.syncguard.benchmarks.HandOffTable;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.handoff.Arena;
import dev.syncguard.benchmarks.handoff.Contender;
import dev.syncguard.benchmarks.handoff.ProcessArena;
import dev.syncguard.benchmarks.handoff.ThreadArena;
import dev.syncguard.benchmarks.report.Section;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** How fast processes pass one lock around: those that listen for it, beside those that ask again and again. */
final class HandOffBenchmark {

  private static final double TARGET = 10;

  /** Those who poll are so slow that a short contest may see no hand-off at all. */
  private static final int LONGER = 4;

  private final Topic.Setting setting;
  private final String host;

  HandOffBenchmark(Topic.Setting setting, String host) {
    this.setting = setting;
    this.host = host;
  }

  Section measure() throws Exception {
    String contenders =
        ", " + setting.pace().processes() + (setting.startsPeers() ? " processes" : " clients");
    String polling = "polling" + contenders;
    String listening = FirestoreLocksTopic.OURS + contenders;
    Map<String, Arena> arenas = new LinkedHashMap<>();
    try {
      arenas.put(polling, arena(FirestorePollingContender.class, FirestorePollingContender::new));
      arenas.put(listening, arena(FirestoreContender.class, FirestoreContender::new));
      HandOffTable table = HandOffTable.measure(
          "Hand-offs", setting.contests(), setting.pace().contest().multipliedBy(LONGER), arenas);
      table.compare(listening, polling, TARGET);
      return table.section(
          "Hand-offs",
          "Processes want one key, hold it for 1 ms and come back at once. Only hand-offs from one process to"
              + " another count. SyncGuard listens for the end of the lock. The bar is SyncGuard without listeners: it"
              + " asks again after growing pauses, as the specification says. Jain's index is 1 if all got the same"
              + " share.");
    } finally {
      arenas.values().forEach(Arena::close);
    }
  }

  /** Returns processes, or where it is only tried whether everything runs, clients of this one. */
  private <C extends Contender> Arena arena(Class<C> contender, Function<String, C> opening)
      throws Exception {
    int count = setting.pace().processes();
    Path baton = setting.files().inMemory(contender.getSimpleName() + ".baton");
    return setting.startsPeers()
        ? new ProcessArena(contender, host, count, baton)
        : new ThreadArena(
            Stream.generate(() -> opening.apply(host)).limit(count).toList(), baton);
  }
}
