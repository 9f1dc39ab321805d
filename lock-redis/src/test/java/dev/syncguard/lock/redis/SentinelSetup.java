package dev.syncguard.lock.redis;

import dev.syncguard.torture.proxy.FaultProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/**
 * One primary, two replicas and three sentinels, of which two must agree.
 *
 * <p>Everybody else reaches the first primary by its door. When that is shut, replicas, sentinels and those who ask them are on one
 * side of a partition; the primary, and whoever talks to it directly, on the other.
 */
final class SentinelSetup implements AutoCloseable {

  private static final String MASTER = "mymaster";

  private final List<RedisProcess> servers = new ArrayList<>();
  private final List<RedisProcess> sentinels = new ArrayList<>();
  private final FaultProxy door;

  private SentinelSetup(RedisProcess primary) throws IOException {
    servers.add(primary);
    this.door = FaultProxy.to("127.0.0.1", primary.port());
  }

  static SentinelSetup start() throws IOException {
    List<String> all = new ArrayList<>(List.of("--repl-diskless-sync-delay", "0"));
    RedisProcess primary = RedisProcess.start(RedisBinary.SYSTEM, all.toArray(String[]::new));
    SentinelSetup setup = new SentinelSetup(primary);
    all.addAll(List.of("--replicaof", "127.0.0.1 " + setup.door.port()));
    for (int i = 0; i < 2; i++) {
      setup.servers.add(RedisProcess.start(RedisBinary.SYSTEM, all.toArray(String[]::new)));
    }
    try (Jedis jedis = primary.jedis()) {
      jedis.incr("warm-up");
      require(RedisProcess.await(() -> jedis.waitReplicas(2, 1000) == 2));
    }
    for (int i = 0; i < 3; i++) {
      setup.sentinels.add(RedisProcess.sentinel(RedisBinary.SYSTEM, setup.door.port(), 2));
    }
    for (RedisProcess sentinel : setup.sentinels) {
      try (Jedis jedis = sentinel.jedis()) {
        require(RedisProcess.await(() -> jedis.info("sentinel").contains("slaves=2,sentinels=3")));
      }
    }
    return setup;
  }

  private static void require(boolean came) {
    if (!came) {
      throw new IllegalStateException("The servers do not find each other");
    }
  }

  String url() {
    return "redis+sentinel://"
        + sentinels.stream()
            .map(sentinel -> "127.0.0.1:" + sentinel.port())
            .collect(Collectors.joining(","))
        + "/" + MASTER;
  }

  private RedisProcess primary() {
    try (Jedis jedis = sentinels.get(0).jedis()) {
      List<String> address = jedis.sentinelGetMasterAddrByName(MASTER);
      HostAndPort found = new HostAndPort(address.get(0), Integer.parseInt(address.get(1)));
      return found.getPort() == door.port()
          ? servers.get(0)
          : servers.stream()
              .filter(server -> server.port() == found.getPort())
              .findFirst()
              .orElseThrow();
    }
  }

  /** Returns the address of the first primary for those who are on its side of a partition. */
  String firstPrimaryUrl() {
    return servers.get(0).url();
  }

  /** Cuts the first primary off from replicas and sentinels, for this long after those have another one. */
  void partition(Duration afterwards) {
    RedisProcess old = primary();
    door.breakDown();
    require(RedisProcess.await(() -> primary() != old));
    RedisProcess.sleep(afterwards);
    door.heal();
  }

  /** Kills the primary, and returns when the sentinels name another one. */
  void killPrimary() {
    RedisProcess old = primary();
    old.kill();
    require(RedisProcess.await(() -> primary() != old));
  }

  /** Stops the primary, as a machine does that hangs, until the sentinels name another one; then it goes on. */
  void suspendPrimary() throws Exception {
    RedisProcess old = primary();
    old.signal("STOP");
    require(RedisProcess.await(() -> primary() != old));
    old.signal("CONT");
  }

  @Override
  public void close() {
    sentinels.forEach(RedisProcess::close);
    door.close();
    servers.forEach(RedisProcess::close);
  }
}
