package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.KeyedPairs;
import dev.syncguard.benchmarks.SyncGuardPairs;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.lock.redis.RedisLockBackend;
import java.util.ArrayList;
import java.util.List;

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
      List<Section> sections = new ArrayList<>();
      List<Participant> all = new ArrayList<>();
      try {
        String url = server.url();
        all.add(new KeyedPairs(LIMIT, new Pings(url)));
        all.add(new KeyedPairs(FLOOR, new HandWrittenLock(url)));
        all.add(new SyncGuardPairs(OURS, RedisLockBackend.connect(url), KeyedPairs::keys));
        all.add(new KeyedPairs(SHEDLOCK, new ShedLock(url)));
        all.add(new KeyedPairs(SPINNING, new SpringLocks.Spinning(url)));
        all.add(new KeyedPairs(LISTENING, new SpringLocks.Listening(url)));
        all.add(new KeyedPairs(PLAIN, new RedissonLocks.Plain(url)));
        all.add(new KeyedPairs(FENCED, new RedissonLocks.Fenced(url)));
        all.add(new KeyedPairs(FAIR, new RedissonLocks.Fair(url)));
        PairsBenchmark pairs = new PairsBenchmark(setting, all);
        sections.add(pairs.oneThread(server.version()));
        sections.add(pairs.manyThreads());
        sections.add(new WorkBenchmark(setting, server).measure(all));
      } finally {
        all.forEach(Participant::close);
      }
      server.forgetEverything();
      sections.addAll(new HandOffBenchmark(setting, server).measure());
      server.forgetEverything();
      sections.add(new MemoryBenchmark(setting, server).measure());
      return sections;
    }
  }
}
