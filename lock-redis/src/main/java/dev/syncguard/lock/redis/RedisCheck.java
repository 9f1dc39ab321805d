package dev.syncguard.lock.redis;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.spi.StoreCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/** Examines a Redis server: will it still know tomorrow which fences it handed out today? */
final class RedisCheck implements StoreCheck {

  private static final int STEP = 500;
  private static final int MOST_COUNTERS = 100_000;

  private final RedisServer server;
  private final Connections connections;
  private final RedisKeys keys;

  RedisCheck(RedisServer server, Connections connections, RedisKeys keys) {
    this.server = server;
    this.connections = connections;
    this.keys = keys;
  }

  @Override
  public List<Finding> examine(Cancellation cancellation) {
    cancellation.throwIfCancelled();
    List<Finding> findings = new ArrayList<>();
    findings.addAll(asAllowed("server", "INFO", "+info", this::server));
    findings.addAll(
        asAllowed("fences", "SCAN and MGET", "+scan +mget", () -> List.of(fences(cancellation))));
    return findings;
  }

  private List<Finding> server() {
    Map<String, String> info = info();
    boolean syncsAlways = syncsAlways();
    return List.of(
        version(info),
        role(info),
        persistence(info, syncsAlways),
        eviction(info),
        replication(info),
        guarantee(info, syncsAlways));
  }

  /** Looks at something that the rights of a user who only locks do not include. */
  private static List<Finding> asAllowed(
      String subject, String commands, String rights, Supplier<List<Finding>> look) {
    try {
      return look.get();
    } catch (LockException e) {
      if (e.code() != LockException.Code.AUTH_FAILED) {
        throw e;
      }
      return List.of(new Finding(
          Severity.WARNING,
          subject,
          "This user may not use " + commands + ", so this could not be examined; grant " + rights
              + " for the examination, or run it as another user"));
    }
  }

  private Map<String, String> info() {
    String text = onOneConnection(Jedis::info);
    return text.lines()
        .filter(line -> line.contains(":"))
        .collect(Collectors.toMap(
            line -> line.substring(0, line.indexOf(':')),
            line -> line.substring(line.indexOf(':') + 1),
            (first, second) -> first));
  }

  private boolean syncsAlways() {
    try {
      return "always"
          .equals(onOneConnection(jedis -> jedis.configGet("appendfsync")).get("appendfsync"));
    } catch (LockException e) {
      // Many servers keep their configuration to themselves; then we promise the less.
      return false;
    }
  }

  private <T> T onOneConnection(Function<Jedis, T> question) {
    return server.call(() -> {
      try (Connection connection = connections.borrow()) {
        return question.apply(new Jedis(connection));
      }
    });
  }

  private static Finding version(Map<String, String> info) {
    String version = info.getOrDefault("redis_version", "?");
    String[] parts = (version + ".0.0").split("\\.", 3);
    boolean old;
    try {
      int major = Integer.parseInt(parts[0]);
      old = major < 6 || (major == 6 && Integer.parseInt(parts[1]) < 2);
    } catch (NumberFormatException e) {
      return new Finding(Severity.WARNING, "version", "The server does not say what version it is");
    }
    return old
        ? new Finding(
            Severity.FAILURE, "version", "Redis " + version + " is too old; 6.2 or newer is needed")
        : good("version", "Redis " + version);
  }

  private static Finding role(Map<String, String> info) {
    return "slave".equals(info.get("role"))
        ? new Finding(
            Severity.FAILURE,
            "role",
            "This server is a replica and takes no writes; connect to the primary")
        : good("role", "The server is a primary");
  }

  private static Finding persistence(Map<String, String> info, boolean syncsAlways) {
    if (!"ok".equals(info.getOrDefault("aof_last_write_status", "ok"))) {
      return new Finding(
          Severity.FAILURE,
          "persistence",
          "The last write to the append-only file failed; check the disk of the server");
    }
    if (!keepsLog(info)) {
      return new Finding(
          Severity.WARNING,
          "persistence",
          "The append-only file is off, so a restart forgets locks and fences; set appendonly yes"
              + " and appendfsync always");
    }
    return syncsAlways
        ? good("persistence", "Every write is in the append-only file before it is confirmed")
        : new Finding(
            Severity.WARNING,
            "persistence",
            "The append-only file is on, but writes may be confirmed up to two seconds before they"
                + " are in it; set appendfsync always if a crash must not repeat a fence");
  }

  private static boolean keepsLog(Map<String, String> info) {
    return "1".equals(info.get("aof_enabled"));
  }

  private static Finding eviction(Map<String, String> info) {
    String policy = info.getOrDefault("maxmemory_policy", "noeviction");
    if (policy.startsWith("volatile-") && hasLimit(info)) {
      return new Finding(
          Severity.FAILURE,
          "eviction",
          "With the eviction policy " + policy + " a full server drops locks that are held; set"
              + " maxmemory-policy to noeviction");
    }
    return evictsFences(info)
        ? new Finding(
            Severity.FAILURE,
            "eviction",
            "With the eviction policy " + policy + " a full server drops fence counters, which then"
                + " start at 1 again; set maxmemory-policy to noeviction")
        : good("eviction", "The eviction policy " + policy + " keeps fence counters");
  }

  private static boolean evictsFences(Map<String, String> info) {
    return info.getOrDefault("maxmemory_policy", "").startsWith("allkeys-") && hasLimit(info);
  }

  private static boolean hasLimit(Map<String, String> info) {
    return !"0".equals(info.getOrDefault("maxmemory", "0"));
  }

  private static Finding replication(Map<String, String> info) {
    String replicas = info.getOrDefault("connected_slaves", "0");
    return replicas.equals("0")
        ? good("replicas", "The server has no replicas")
        : new Finding(
            Severity.WARNING,
            "replicas",
            "The server has " + replicas
                + " replica(s), which lag behind; set minReplicasAcked if a"
                + " failover must not repeat a fence");
  }

  private static Finding guarantee(Map<String, String> info, boolean syncsAlways) {
    boolean alone = info.getOrDefault("connected_slaves", "0").equals("0");
    if (evictsFences(info)) {
      return new Finding(
          Severity.FAILURE, "guarantee", "A fence may be handed out twice at any time");
    }
    if (!keepsLog(info)) {
      return new Finding(
          Severity.WARNING,
          "guarantee",
          "Fences rise as long as the server runs; after a restart they may start again");
    }
    if (!alone) {
      return new Finding(
          Severity.WARNING,
          "guarantee",
          "Fences rise across restarts; across a failover only with minReplicasAcked");
    }
    return syncsAlways
        ? good("guarantee", "Fences rise across crashes of the server and of its machine")
        : new Finding(
            Severity.WARNING,
            "guarantee",
            "Fences rise across a clean restart; a crash can repeat those of the last two seconds");
  }

  private Finding fences(Cancellation cancellation) {
    ScanParams params = new ScanParams().match(keys.fencePattern()).count(STEP);
    String cursor = ScanParams.SCAN_POINTER_START;
    int seen = 0;
    int wornOut = 0;
    do {
      cancellation.throwIfCancelled();
      String from = cursor;
      ScanResult<String> step = server.call(() -> server.client().scan(from, params));
      if (!step.getResult().isEmpty()) {
        String[] names = step.getResult().toArray(String[]::new);
        List<String> counters = server.call(() -> server.client().mget(names));
        seen += names.length;
        wornOut += (int) counters.stream()
            .filter(Objects::nonNull)
            .filter(RedisCheck::isWornOut)
            .count();
      }
      cursor = step.getCursor();
    } while (!cursor.equals(ScanParams.SCAN_POINTER_START) && seen < MOST_COUNTERS);
    return wornOut == 0
        ? good("fences", "None of the " + seen + " fence counters examined is near its end")
        : new Finding(
            Severity.WARNING,
            "fences",
            wornOut + " fence counter(s) near the limit of " + Fence.MAX
                + "; move these resources to new keys");
  }

  private static boolean isWornOut(String counter) {
    return counter.length() <= 18
        && counter.chars().allMatch(c -> c >= '0' && c <= '9')
        && Long.parseLong(counter) > Fence.WARN;
  }

  private static Finding good(String subject, String message) {
    return new Finding(Severity.GOOD, subject, message);
  }
}
