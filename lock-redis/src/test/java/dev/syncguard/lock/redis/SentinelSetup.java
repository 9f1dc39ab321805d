package dev.syncguard.lock.redis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/** One primary, two replicas and three sentinels, of which two must agree. */
final class SentinelSetup implements AutoCloseable {

  private static final String MASTER = "mymaster";

  private final List<RedisProcess> servers = new ArrayList<>();
  private final List<RedisProcess> sentinels = new ArrayList<>();

  private SentinelSetup() {}

  static SentinelSetup start(String... settings) throws IOException {
    SentinelSetup setup = new SentinelSetup();
    List<String> all = new ArrayList<>(List.of(settings));
    all.addAll(List.of("--repl-diskless-sync-delay", "0"));
    RedisProcess primary = RedisProcess.start(RedisBinary.SYSTEM, all.toArray(String[]::new));
    setup.servers.add(primary);
    all.addAll(List.of("--replicaof", "127.0.0.1 " + primary.port()));
    for (int i = 0; i < 2; i++) {
      setup.servers.add(RedisProcess.start(RedisBinary.SYSTEM, all.toArray(String[]::new)));
    }
    try (Jedis jedis = primary.jedis()) {
      jedis.incr("warm-up");
      require(RedisProcess.await(() -> jedis.waitReplicas(2, 1000) == 2));
    }
    for (int i = 0; i < 3; i++) {
      setup.sentinels.add(RedisProcess.sentinel(RedisBinary.SYSTEM, primary, 2));
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
      return servers.stream()
          .filter(server -> server.port() == found.getPort())
          .findFirst()
          .orElseThrow();
    }
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
    servers.forEach(RedisProcess::close);
  }
}
