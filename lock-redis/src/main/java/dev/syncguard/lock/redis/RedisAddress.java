package dev.syncguard.lock.redis;

import dev.syncguard.lock.LockException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/** Where the server is and how to get in, read from a URL and the environment. Its text shows no password. */
final class RedisAddress {

  static final String USER = "SYNCGUARD_REDIS_USER";
  static final String PASSWORD = "SYNCGUARD_REDIS_PASSWORD";

  private static final Pattern URL = Pattern.compile(
      "redis(?<tls>s?)(?:\\+(?<kind>sentinel|cluster))?://(?:(?<login>[^@/]*)@)?(?<hosts>[^/?#]+)(?:/(?<path>[^?#]*))?");
  private static final Pattern HOST =
      Pattern.compile("(?<host>\\[[0-9a-fA-F:.%]+]|[^:\\[\\]]+)(?::(?<port>\\d{1,5}))?");
  private static final int REDIS_PORT = 6379;
  private static final int SENTINEL_PORT = 26379;
  private static final int CONNECTIONS = 32;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private enum Kind {
    STANDALONE,
    SENTINEL,
    CLUSTER
  }

  private final Kind kind;
  private final boolean tls;
  private final Set<HostAndPort> hosts;
  private final Optional<String> master;
  private final int database;
  private final @Nullable String user;
  private final @Nullable String password;

  private RedisAddress(Matcher url, Map<String, String> environment) {
    tls = !url.group("tls").isEmpty();
    kind = url.group("kind") == null
        ? Kind.STANDALONE
        : url.group("kind").equals("cluster") ? Kind.CLUSTER : Kind.SENTINEL;
    hosts = Arrays.stream(url.group("hosts").split(",", -1))
        .map(this::host)
        .collect(Collectors.toUnmodifiableSet());
    List<String> path = url.group("path") == null || url.group("path").isEmpty()
        ? List.of()
        : List.of(url.group("path").split("/", -1));
    boolean named = kind == Kind.SENTINEL;
    if (path.size() > (named ? 2 : kind == Kind.CLUSTER ? 0 : 1) || (named && path.isEmpty())) {
      throw unreadable();
    }
    master = named ? Optional.of(path.get(0)) : Optional.empty();
    database = path.size() > (named ? 1 : 0) ? number(path.get(path.size() - 1)) : 0;
    if (kind == Kind.STANDALONE && hosts.size() > 1) {
      throw unreadable();
    }
    String login = Optional.ofNullable(url.group("login")).orElse("");
    int colon = login.indexOf(':');
    user = firstOf(environment.get(USER), decoded(colon < 0 ? login : login.substring(0, colon)));
    password =
        firstOf(environment.get(PASSWORD), decoded(colon < 0 ? "" : login.substring(colon + 1)));
  }

  /** Returns the address, or throws {@code InvalidArgument} without repeating the URL, which may hold a password. */
  static RedisAddress parse(String url, Map<String, String> environment) {
    Matcher matcher = URL.matcher(url);
    if (!matcher.matches()) {
      throw unreadable();
    }
    return new RedisAddress(matcher, environment);
  }

  private static LockException unreadable() {
    return LockException.invalidArgument("A Redis URL looks like redis://host:6379/0,"
        + " redis+sentinel://host:26379,host:26379/mymaster/0 or"
        + " redis+cluster://host:6379,host:6379; rediss encrypts. Put user and password into "
        + USER + " and " + PASSWORD);
  }

  private HostAndPort host(String text) {
    Matcher matcher = HOST.matcher(text);
    if (!matcher.matches()) {
      throw unreadable();
    }
    String port = matcher.group("port");
    int standard = kind == Kind.SENTINEL ? SENTINEL_PORT : REDIS_PORT;
    return new HostAndPort(
        matcher.group("host").replaceAll("[\\[\\]]", ""), port == null ? standard : number(port));
  }

  private static int number(String digits) {
    try {
      int number = Integer.parseInt(digits);
      if (number >= 0 && number <= 65_535) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw unreadable();
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static @Nullable String firstOf(@Nullable String preferred, String other) {
    if (preferred != null && !preferred.isEmpty()) {
      return preferred;
    }
    return other.isEmpty() ? null : other;
  }

  /** Returns a client that is ours to close. Locks come and go quickly, so few connections serve many threads. */
  UnifiedJedis connect(RedisKeys keys) {
    if (kind == Kind.CLUSTER && !keys.shareOneSlot()) {
      throw keys.spreadOverSlots();
    }
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(CONNECTIONS);
    pool.setMaxIdle(CONNECTIONS);
    pool.setMaxWait(PATIENCE);
    // First come, first served: a release must not starve behind those who want to acquire.
    pool.setFairness(true);
    try {
      return switch (kind) {
        case STANDALONE ->
          RedisClient.builder()
              .hostAndPort(hosts.iterator().next())
              .clientConfig(config())
              .poolConfig(pool)
              .build();
        case SENTINEL ->
          RedisSentinelClient.builder()
              .masterName(master.orElseThrow())
              .sentinels(hosts)
              .sentinelClientConfig(
                  encrypted(DefaultJedisClientConfig.builder()).build())
              .clientConfig(config())
              .poolConfig(pool)
              .build();
        case CLUSTER ->
          RedisClusterClient.builder()
              .nodes(hosts)
              .clientConfig(config())
              .poolConfig(pool)
              .build();
      };
    } catch (JedisException e) {
      throw new RedisErrors(keys).translate(e);
    }
  }

  private JedisClientConfig config() {
    DefaultJedisClientConfig.Builder config = encrypted(DefaultJedisClientConfig.builder())
        .timeoutMillis((int) PATIENCE.toMillis())
        .database(database)
        .clientName("syncguard");
    if (password != null) {
      config.user(user).password(password);
    }
    return config.build();
  }

  /** Certificates and host names are checked against what the JVM trusts. */
  private DefaultJedisClientConfig.Builder encrypted(DefaultJedisClientConfig.Builder config) {
    return tls ? config.sslOptions(SslOptions.defaults()) : config;
  }

  @Override
  public String toString() {
    return "RedisAddress[" + kind + ", " + hosts.size() + " hosts]";
  }
}
