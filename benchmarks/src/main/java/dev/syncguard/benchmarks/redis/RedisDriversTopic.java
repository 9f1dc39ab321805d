package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.KeyedPairs;
import dev.syncguard.benchmarks.LoadTable;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The same two scripts over Jedis and over Lettuce: what the driver alone adds to a lock on Redis. */
public final class RedisDriversTopic implements Topic {

  private static final int MANY = 16;
  private static final String JEDIS = "Jedis, a pool";
  private static final String SHARED = "Lettuce, one connection";
  private static final String POOLED = "Lettuce, a connection for each call";

  @Override
  public String name() {
    return "redis-drivers";
  }

  @Override
  public String title() {
    return "Drivers for Redis";
  }

  @Override
  public List<Section> measure(Setting setting) throws Exception {
    try (RedisServer server = RedisServer.start(setting.files().onDisk("redis-drivers"))) {
      List<Participant> drivers = new ArrayList<>();
      try {
        drivers.add(new KeyedPairs(JEDIS, new HandWrittenLock(server.url())));
        drivers.add(new KeyedPairs(SHARED, new LettuceLock.Shared(server.url())));
        drivers.add(new KeyedPairs(POOLED, new LettuceLock.Pooled(server.url(), MANY)));
        return List.of(
            section(setting, drivers, 1, server.version()),
            section(setting, drivers, MANY, server.version()));
      } finally {
        drivers.forEach(Participant::close);
      }
    }
  }

  private static Section section(
      Setting setting, List<Participant> drivers, int threads, String version) throws Exception {
    String title = "Acquire and release, " + (threads == 1 ? "one thread" : threads + " threads");
    LoadTable table = LoadTable.measure(
        title,
        setting.rounds(),
        new Load(threads, setting.pace().slice(), setting.pace().warmUp()),
        drivers,
        List.of(JEDIS));
    return new Section(
        title,
        "Two short scripts, the least that a fenced lock needs, on keys that nobody else wants, on Redis "
            + version
            + " over loopback. The scripts and the server are the same for all; only the driver differs.",
        table.header(),
        table.rows(),
        List.of(),
        List.of(new Panel(
            title + ": p50 of a pair × " + JEDIS,
            table.series().names().stream()
                .map(name -> new Bar(
                    name, table.series().ratio(name, JEDIS, Slice::p50Micros), name.equals(JEDIS)))
                .toList(),
            Optional.empty())));
  }
}
