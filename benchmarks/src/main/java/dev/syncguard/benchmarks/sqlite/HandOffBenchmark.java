package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.HandOffTable;
import dev.syncguard.benchmarks.SyncGuardContender;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.handoff.Arena;
import dev.syncguard.benchmarks.handoff.Contender;
import dev.syncguard.benchmarks.handoff.ProcessArena;
import dev.syncguard.benchmarks.handoff.ThreadArena;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.sqlite.SQLiteConfig.SynchronousMode;

/** How fast eight contenders pass one lock around, on threads of one process and as eight processes. */
final class HandOffBenchmark {

  private static final int CONTENDERS = 8;
  private static final String OURS_HERE = "SyncGuard, 1 process";
  private static final String OURS_APART = "SyncGuard, 8 processes";
  private static final String POLLING = "SyncGuard, 8 processes, polling";
  private static final String LIMIT_HERE = "limit, 1 connection";
  private static final String LIMIT_HERE_LAZY = "limit, 1 connection, lazy release";
  private static final String LIMIT_APART = "limit, 8 connections";
  private static final String LIMIT_APART_LAZY = "limit, 8 connections, lazy release";

  private static final String TEXT =
      "Eight contenders want one key, hold it for 1 ms and come back at once. Only hand-offs from one"
          + " contender to another count. The bar is the two-round-trip limit: an ideal line in memory that"
          + " wakes exactly the next, and a bare durable UPDATE for each half of a pair, on one connection"
          + " for the process with 8 threads and on 8 connections for the 8 processes. *Lazy release* is the"
          + " same limit with a second UPDATE that does not wait for the disk, as SyncGuard's release does"
          + " not. The limit lives in one process, so its 8 connections pay nothing to wake another process;"
          + " SyncGuard's 8 processes are real ones. *Polling* is what waiting costs"
          + " without the line that our processes form in the file. Jain's index is 1 if all got the same share.";

  private final Topic.Setting setting;
  private final Map<String, Arena> arenas = new LinkedHashMap<>();

  HandOffBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  Section measure() throws Exception {
    try {
      for (SynchronousMode release : List.of(SynchronousMode.FULL, SynchronousMode.NORMAL)) {
        boolean lazy = release == SynchronousMode.NORMAL;
        arenas.put(lazy ? LIMIT_HERE_LAZY : LIMIT_HERE, limitOnOneConnection(release));
        arenas.put(lazy ? LIMIT_APART_LAZY : LIMIT_APART, limitOnManyConnections(release));
      }
      arenas.put(
          OURS_HERE, threads(SyncGuardContender.over(SqliteLockBackend.open(file("ours-here")))));
      arenas.put(OURS_APART, processes(SqliteContender.class, "ours-apart"));
      arenas.put(POLLING, processes(SqlitePollingContender.class, "polling"));
      HandOffTable table =
          HandOffTable.measure("Hand-offs", setting.contests(), setting.pace().contest(), arenas);
      return table
          .compare(OURS_HERE, LIMIT_HERE, 1.0)
          .compare(OURS_HERE, LIMIT_HERE_LAZY)
          .compare(OURS_APART, LIMIT_APART, 0.3)
          .compare(OURS_APART, LIMIT_APART_LAZY)
          .compare(POLLING, LIMIT_APART)
          .section("Hand-offs", TEXT);
    } finally {
      arenas.values().forEach(Arena::close);
    }
  }

  private Arena threads(Contender shared) throws Exception {
    return new ThreadArena(
        Collections.nCopies(CONTENDERS, shared), batonFile("threads-" + arenas.size()));
  }

  private Arena processes(Class<? extends Contender> contender, String name) throws Exception {
    return new ProcessArena(contender, file(name).toString(), CONTENDERS, batonFile(name));
  }

  private Arena limitOnOneConnection(SynchronousMode release) throws Exception {
    return threads(
        new TwoRoundTrips(new ReentrantLock(true), file("limit-here-" + release), release));
  }

  private Arena limitOnManyConnections(SynchronousMode release) throws Exception {
    ReentrantLock line = new ReentrantLock(true);
    List<Contender> contenders = new ArrayList<>();
    for (int i = 0; i < CONTENDERS; i++) {
      contenders.add(new TwoRoundTrips(line, file("limit-apart-" + release), release));
    }
    return new ThreadArena(contenders, batonFile("limit-apart-" + release));
  }

  private Path file(String name) {
    return setting.files().onDisk(name + ".db");
  }

  private Path batonFile(String name) {
    return setting.files().inMemory(name + ".baton");
  }
}
