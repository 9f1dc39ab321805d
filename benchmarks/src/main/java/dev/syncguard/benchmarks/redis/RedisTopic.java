package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.KeyedPairs;
import dev.syncguard.benchmarks.OutageBenchmark;
import dev.syncguard.benchmarks.SyncGuardPairs;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.WaitersBenchmark;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.lock.redis.RedisLockBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Locks on a Redis server, beside the libraries that people use there. */
public final class RedisTopic implements Topic {

  static final String OURS = "SyncGuard";
  static final String FENCED = "Redisson RFencedLock";
  static final String PLAIN = "Redisson RLock (no fence)";
  static final String FAIR = "Redisson fair lock (no fence)";
  static final String SHEDLOCK = "ShedLock (no fence, no owner, no waiting)";
  static final String SPINNING = "Spring, spinning (no fence)";
  static final String LISTENING = "Spring, pub/sub (no fence)";
  static final String FLOOR = "hand-written floor (no waiting)";
  static final String LIMIT = "limit: two PINGs";

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public String title() {
    return "SyncGuard on Redis";
  }

  @Override
  public List<Section> measure(Setting setting) throws Exception {
    try (RedisServer server = RedisServer.start(setting.files().onDisk("redis"))) {
      List<Supplier<Participant>> participants = participants(server.url());
      List<Section> sections = new ArrayList<>();
      List<Participant> all = new ArrayList<>();
      try {
        participants.forEach(opening -> all.add(opening.get()));
        PairsBenchmark pairs = new PairsBenchmark(setting, all);
        sections.add(pairs.oneThread(server.version()));
        sections.add(pairs.manyThreads());
      } finally {
        all.forEach(Participant::close);
      }
      sections.add(new WorkBenchmark(setting, server).measure(participants));
      server.forgetEverything();
      sections.addAll(new HandOffBenchmark(setting, server).measure());
      sections.add(new MemoryBenchmark(setting, server).measure());
      server.forgetEverything();
      sections.add(new GrownRedis(setting, server).measure());
      server.forgetEverything();
      sections.add(new WaitersBenchmark(
              setting,
              () -> RedisLockBackend.connect(server.url()),
              () -> server.work().cpuMicros() / 1e3)
          .remarking(
              "The first waiter for each key asks once a second, so many keys are not flat: ADR 42 says"
                  + " what that would take.")
          .measure());
      sections.add(new OutageBenchmark(
              setting, server.port(), port -> RedisLockBackend.connect("redis://127.0.0.1:" + port))
          .measure());
      return sections;
    }
  }

  private static List<Supplier<Participant>> participants(String url) {
    return List.of(
        () -> new KeyedPairs(LIMIT, new Pings(url)),
        () -> new KeyedPairs(FLOOR, new HandWrittenLock(url)),
        () -> new SyncGuardPairs(OURS, RedisLockBackend.connect(url), KeyedPairs::keys),
        () -> new KeyedPairs(SHEDLOCK, new ShedLock(url)),
        () -> new KeyedPairs(SPINNING, new SpringLocks.Spinning(url)),
        () -> new KeyedPairs(LISTENING, new SpringLocks.Listening(url)),
        () -> new KeyedPairs(PLAIN, new RedissonLocks.Plain(url)),
        () -> new KeyedPairs(FENCED, new RedissonLocks.Fenced(url)),
        () -> new KeyedPairs(FAIR, new RedissonLocks.Fair(url)));
  }
}
