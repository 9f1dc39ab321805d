package dev.syncguard.benchmarks.postgres;

import dev.syncguard.benchmarks.HandOffTable;
import dev.syncguard.benchmarks.IdealLine;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.handoff.Arena;
import dev.syncguard.benchmarks.handoff.Contender;
import dev.syncguard.benchmarks.handoff.ProcessArena;
import dev.syncguard.benchmarks.handoff.ThreadArena;
import dev.syncguard.benchmarks.report.Section;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** How fast contenders pass one lock around, on threads of one process and as several processes. */
final class HandOffBenchmark {

  private static final int THREADS = 8;

  private static final String HERE_TAKES =
      "fewer than the four statements inside of the function that takes over; it waits for the disk once where"
          + " the limit waits twice, which is worth the less, the busier the processors are";
  private static final String APART_TAKES =
      "granting to the next inside of the release, which would then wait for the disk, so that a hand-off saves a"
          + " round trip and no flush (ADR 42), or a core for each process; compare the row of several clients in one process, which send"
          + " the same statements";

  private static final String TEXT =
      "Contenders want one key, hold it for 1 ms and come back at once. Only hand-offs from one contender"
          + " to another count. The bar is the two-round-trip limit: an ideal line in memory that wakes exactly"
          + " the next, and a bare durable UPDATE for each half of a pair, on one connection or on one for each"
          + " contender. It lives in one process, so it pays nothing to wake another one; the processes of"
          + " everybody else are real ones, which compete for the cores. SyncGuard with several clients in one"
          + " process shows what that costs. Jain's index is 1 if all got the same share. ShedLock does not wait."
          + " Advisory locks never wait for the disk.";

  private final Topic.Setting setting;
  private final PostgresServer server;
  private final Map<String, Arena> arenas = new LinkedHashMap<>();

  HandOffBenchmark(Topic.Setting setting, PostgresServer server) {
    this.setting = setting;
    this.server = server;
  }

  Section measure() throws Exception {
    int processes = setting.pace().processes();
    String oursTogether = PostgresTopic.OURS + ", " + processes + " clients";
    String limitHere = "limit, 1 connection";
    String limitApart = "limit, " + processes + " connections";
    String url = server.url();
    try {
      arenas.put(limitHere, threads(limit(new ReentrantLock(true))));
      ReentrantLock line = new ReentrantLock(true);
      arenas.put(limitApart, clients(() -> limit(line)));
      both(PostgresTopic.OURS, new PostgresContender(url));
      arenas.put(oursTogether, clients(() -> new PostgresContender(url)));
      both(PostgresTopic.ADVISORY, new AdvisoryLock(Pools.open(url, THREADS)));
      both(PostgresTopic.SPRING, new SpringLock(Pools.open(url, THREADS)));
      HandOffTable table =
          HandOffTable.measure("Hand-offs", setting.contests(), setting.pace().contest(), arenas);
      table
          .compare(here(PostgresTopic.OURS), limitHere, 1.2, HERE_TAKES)
          .compare(apart(PostgresTopic.OURS), limitApart, 0.6, APART_TAKES)
          .compare(oursTogether, limitApart)
          .fair(here(PostgresTopic.OURS), 0.99)
          .fair(apart(PostgresTopic.OURS), 0.99);
      for (String peer : List.of(PostgresTopic.ADVISORY, PostgresTopic.SPRING)) {
        table.compare(here(peer), limitHere);
        if (arenas.containsKey(apart(peer))) {
          table.compare(apart(peer), limitApart);
        }
      }
      return table.section("Hand-offs", TEXT);
    } finally {
      arenas.values().forEach(Arena::close);
    }
  }

  private void both(String name, Contender shared) throws Exception {
    arenas.put(here(name), threads(shared));
    if (shared instanceof PostgresContender || setting.startsPeers()) {
      arenas.put(apart(name), processes(shared.getClass()));
    }
  }

  private Arena threads(Contender shared) throws Exception {
    return new ThreadArena(Collections.nCopies(THREADS, shared), batonFile());
  }

  private Arena processes(Class<? extends Contender> contender) throws Exception {
    return new ProcessArena(contender, server.url(), setting.pace().processes(), batonFile());
  }

  /** Returns an arena of clients that have nothing in common but this process. */
  private Arena clients(Supplier<Contender> opening) throws Exception {
    List<Contender> contenders = new ArrayList<>();
    for (int i = 0; i < setting.pace().processes(); i++) {
      contenders.add(opening.get());
    }
    return new ThreadArena(contenders, batonFile());
  }

  private Contender limit(ReentrantLock line) {
    return new IdealLine(line, BareRoundTrips.durableUpdate(Pools.open(server.url(), 1)));
  }

  private Path batonFile() {
    return setting.files().inMemory("postgres-" + arenas.size() + ".baton");
  }

  private static String here(String name) {
    return name + ", 1 process";
  }

  private String apart(String name) {
    return name + ", " + setting.pace().processes() + " processes";
  }
}
