package dev.syncguard.lock.redis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import redis.clients.jedis.Jedis;

/** A cluster of three primaries, with the same number of replicas for each. */
final class ClusterSetup implements AutoCloseable {

  static final String PREFIX = "{syncguard}";

  private static final int PRIMARIES = 3;

  private final List<RedisProcess> nodes = new ArrayList<>();

  private ClusterSetup() {}

  static ClusterSetup start(int replicas) throws IOException, InterruptedException {
    ClusterSetup setup = new ClusterSetup();
    for (int i = 0; i < PRIMARIES * (1 + replicas); i++) {
      setup.nodes.add(RedisProcess.start(
          RedisBinary.SYSTEM,
          "--cluster-enabled",
          "yes",
          "--cluster-node-timeout",
          "2000",
          "--repl-diskless-sync-delay",
          "0"));
    }
    List<String> command = new ArrayList<>(List.of("redis-cli", "--cluster", "create"));
    setup.nodes.forEach(node -> command.add("127.0.0.1:" + node.port()));
    command.addAll(List.of("--cluster-replicas", Integer.toString(replicas), "--cluster-yes"));
    run(command);
    setup.awaitReplicas(replicas);
    return setup;
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
    if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException("redis-cli failed: " + String.join(" ", command));
    }
  }

  private void awaitReplicas(int replicas) {
    for (RedisProcess node : nodes) {
      try (Jedis jedis = node.jedis()) {
        boolean came = RedisProcess.await(() -> jedis.clusterInfo().contains("cluster_state:ok")
            && (jedis.info("replication").contains("master_link_status:up")
                || jedis.info("replication").contains("connected_slaves:" + replicas)));
        if (!came) {
          throw new IllegalStateException("The nodes do not find each other");
        }
      }
    }
  }

  String url() {
    return "redis+cluster://"
        + nodes.stream().map(node -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
  }

  @SuppressWarnings("deprecation") // Its successor needs Redis 7.
  private RedisProcess owner(RedisProcess asked) {
    try (Jedis jedis = asked.jedis()) {
      long slot = jedis.clusterKeySlot(PREFIX);
      for (Object range : jedis.clusterSlots()) {
        List<?> parts = (List<?>) range;
        if ((Long) parts.get(0) <= slot && slot <= (Long) parts.get(1)) {
          Long port = (Long) ((List<?>) parts.get(2)).get(1);
          return nodes.stream().filter(node -> node.port() == port).findFirst().orElseThrow();
        }
      }
      throw new IllegalStateException("Nobody owns our slot");
    }
  }

  /** Kills the node that has the locks, and starts it again, empty, when another one has its slots. */
  void killOwnerAndBringItBack() {
    killOwner().restart();
  }

  /** Stops the node that has the locks, as a machine does that hangs, until another one has its slots; then it goes on. */
  void suspendOwner() throws IOException, InterruptedException {
    RedisProcess old = owner(nodes.get(0));
    old.signal("STOP");
    awaitSuccessorOf(old);
    old.signal("CONT");
  }

  /** Kills the node that has the locks, and returns it when another one has its slots. */
  RedisProcess killOwner() {
    RedisProcess old = owner(nodes.get(0));
    old.kill();
    awaitSuccessorOf(old);
    return old;
  }

  private void awaitSuccessorOf(RedisProcess old) {
    RedisProcess witness =
        nodes.stream().filter(node -> node != old).findFirst().orElseThrow();
    if (!RedisProcess.await(() -> owner(witness) != old)) {
      throw new IllegalStateException("Nobody takes over");
    }
  }

  /** Moves slots to another primary, that of the locks among them, while they are in use. */
  void moveSlots() throws IOException, InterruptedException {
    RedisProcess from = owner(nodes.get(0));
    String source = id(from);
    RedisProcess to = nodes.stream()
        .filter(node -> node != from && isPrimary(node))
        .findFirst()
        .orElseThrow();
    run(List.of(
        "redis-cli",
        "--cluster",
        "reshard",
        "127.0.0.1:" + from.port(),
        "--cluster-from",
        source,
        "--cluster-to",
        id(to),
        "--cluster-slots",
        "5400",
        "--cluster-yes"));
  }

  private static boolean isPrimary(RedisProcess node) {
    try (Jedis jedis = node.jedis()) {
      return jedis.info("replication").contains("role:master");
    }
  }

  private static String id(RedisProcess node) {
    try (Jedis jedis = node.jedis()) {
      return jedis.clusterMyId();
    }
  }

  @Override
  public void close() {
    nodes.forEach(RedisProcess::close);
  }
}
