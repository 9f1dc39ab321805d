package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.HandOffTable;
import dev.syncguard.benchmarks.IdealLine;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.handoff.Arena;
import dev.syncguard.benchmarks.handoff.Contender;
import dev.syncguard.benchmarks.handoff.ProcessArena;
import dev.syncguard.benchmarks.handoff.ThreadArena;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** How fast contenders pass one lock around, on threads of one process and as several processes. */
final class HandOffBenchmark {

  private static final int THREADS = 8;
  private static final Target READS = Target.atMost(2.2);

  private static final String HERE_TAKES =
      "a shorter script for the take-over: it is one message where the limit sends two, but does more than"
          + " both; what is left is to wake the next thread, which the limit does as well";
  private static final String APART_TAKES =
      "a waiter that begins its work before it has confirmed its turn, or a core for each process; compare the row of"
          + " several clients in one process, which send the same messages. ADR 42 has what a prototype saved, and why"
          + " it was not built";

  private static final String TEXT =
      "Contenders want one key, hold it for 1 ms and come back at once. Only hand-offs from one contender"
          + " to another count. The bar is the two-round-trip limit: an ideal line in memory that wakes exactly"
          + " the next, and a bare PING for each half of a pair, over one client or over one for each contender."
          + " It lives in one process, so it pays nothing to wake another one; the processes of everybody else"
          + " are real ones, which compete for the cores. SyncGuard with several clients in one process shows"
          + " what that costs. Jain's index is 1 if all got the same share. ShedLock does not wait.";

  private final Topic.Setting setting;
  private final RedisServer server;
  private final Map<String, CountedArena> arenas = new LinkedHashMap<>();

  HandOffBenchmark(Topic.Setting setting, RedisServer server) {
    this.setting = setting;
    this.server = server;
  }

  List<Section> measure() throws Exception {
    String oursHere = here(RedisTopic.OURS);
    String oursApart = apart(RedisTopic.OURS);
    String oursTogether = RedisTopic.OURS + ", " + setting.pace().processes() + " clients";
    String limitHere = "limit, 1 client";
    String limitApart = "limit, " + setting.pace().processes() + " clients";
    String url = server.url();
    try {
      add(limitHere, threads(new IdealLine(new ReentrantLock(true), new Pings(url))));
      ReentrantLock line = new ReentrantLock(true);
      add(limitApart, clients(() -> new IdealLine(line, new Pings(url))));
      both(RedisTopic.OURS, new RedisContender(url));
      add(oursTogether, clients(() -> new RedisContender(url)));
      both(RedisTopic.FAIR, new RedissonLocks.Fair(url));
      both(RedisTopic.FENCED, new RedissonLocks.Fenced(url));
      both(RedisTopic.PLAIN, new RedissonLocks.Plain(url));
      both(RedisTopic.LISTENING, new SpringLocks.Listening(url));
      both(RedisTopic.SPINNING, new SpringLocks.Spinning(url));
      HandOffTable table = HandOffTable.measure(
          "Hand-offs", setting.contests(), setting.pace().contest(), new LinkedHashMap<>(arenas));
      table
          .compare(oursHere, limitHere, 1.0, HERE_TAKES)
          .compare(oursApart, limitApart, 0.8, APART_TAKES)
          .compare(oursTogether, limitApart)
          .fair(oursHere, 0.99)
          .fair(oursApart, 0.99);
      for (String peer : List.of(
          RedisTopic.FAIR,
          RedisTopic.FENCED,
          RedisTopic.PLAIN,
          RedisTopic.LISTENING,
          RedisTopic.SPINNING)) {
        table.compare(here(peer), limitHere);
        if (arenas.containsKey(apart(peer))) {
          table.compare(apart(peer), limitApart);
        }
      }
      return List.of(table.section("Hand-offs", TEXT), work(oursHere, oursApart));
    } finally {
      arenas.values().forEach(Arena::close);
    }
  }

  private void both(String name, Contender shared) throws Exception {
    add(here(name), threads(shared));
    if (shared instanceof RedisContender || setting.startsPeers()) {
      add(apart(name), processes(shared));
    }
  }

  private void add(String name, Arena arena) {
    arenas.put(name, new CountedArena(arena, server));
  }

  private Arena threads(Contender shared) throws Exception {
    return new ThreadArena(Collections.nCopies(THREADS, shared), batonFile());
  }

  private Arena processes(Contender like) throws Exception {
    return new ProcessArena(like.getClass(), server.url(), setting.pace().processes(), batonFile());
  }

  /** Returns an arena of clients that have nothing in common but this process. */
  private Arena clients(Supplier<Contender> opening) throws Exception {
    List<Contender> contenders = new ArrayList<>();
    for (int i = 0; i < setting.pace().processes(); i++) {
      contenders.add(opening.get());
    }
    return new ThreadArena(contenders, batonFile());
  }

  private Path batonFile() {
    return setting.files().inMemory("redis-" + arenas.size() + ".baton");
  }

  private static String here(String name) {
    return name + ", 1 process";
  }

  private String apart(String name) {
    return name + ", " + setting.pace().processes() + " processes";
  }

  private Section work(String... ours) {
    List<Goal> goals = new ArrayList<>();
    for (String name : ours) {
      goals.add(new Goal(
          "reads per hand-off of " + name,
          counted(name).perHandOff(ServerWork::reads),
          READS,
          "a waiter that begins its work before it has confirmed its turn: a prototype needed 2.07; ADR 42 says why it"
              + " was not built"));
    }
    return new Section(
        "What a hand-off costs the server",
        "Counted by the server in the same contests: the messages it got and the commands it ran for each"
            + " true hand-off.",
        List.of("", "reads", "commands"),
        arenas.keySet().stream()
            .map(name -> List.of(
                name,
                Numbers.with(counted(name).perHandOff(ServerWork::reads)),
                Numbers.with(counted(name).perHandOff(ServerWork::commands))))
            .toList(),
        goals,
        List.of());
  }

  private CountedArena counted(String name) {
    return Objects.requireNonNull(arenas.get(name));
  }
}
