package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.GrowthBenchmark;
import dev.syncguard.benchmarks.SyncGuardPairs;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.lock.redis.RedisLockBackend;
import java.net.URI;
import java.util.List;
import redis.clients.jedis.Jedis;

/**
 * Databases of one server with many keys that are held, and as many that are free.
 *
 * <p>To take and release a million keys would take minutes, so the server writes them as a backend leaves them.
 */
final class GrownRedis {

  private static final int BATCH = 10_000;

  private static final String FILL = """
      for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do
        local held, free = string.format('held-%07d', i), string.format('key-%07d', i)
        local id, base = string.format('%022d', i), 'syncguard:' .. held
        redis.call('SET', base, '{"lockId":"' .. id .. '","fence":"000000000000001","acquiredAtMs":0,'
          .. '"expiresAtMs":9000000000000,"key":"' .. held .. '"}', 'PX', '36000000')
        redis.call('SET', 'syncguard:id:' .. id, base, 'PX', '36000000')
        redis.call('SET', 'syncguard:fence:' .. base, 1)
        redis.call('SET', 'syncguard:fence:syncguard:' .. free, 1)
      end
      """;

  private final Topic.Setting setting;
  private final RedisServer server;
  private int database;

  GrownRedis(Topic.Setting setting, RedisServer server) {
    this.setting = setting;
    this.server = server;
  }

  Section measure() throws Exception {
    return new GrowthBenchmark(
            setting,
            "Growth",
            "So many locks are held and so many more fences are remembered, in a database of their own;"
                + " pairs take keys chosen at random from the latter.",
            "locks")
        .measure((name, size) -> {
          String url = server.url() + "/" + ++database;
          fill(url, size);
          return new SyncGuardPairs(
              name, RedisLockBackend.connect(url), thread -> GrowthBenchmark.randomKeys(size));
        });
  }

  private static void fill(String url, int size) {
    try (Jedis connection = new Jedis(URI.create(url))) {
      for (int start = 0; start < size; start += BATCH) {
        int end = Math.min(start + BATCH, size) - 1;
        connection.eval(FILL, List.of(), List.of(Integer.toString(start), Integer.toString(end)));
      }
    }
  }
}
