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
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/** Where the server is and how to get in, read from a URL and the environment. Its text shows no password. */
final class RedisAddress {

  static final String USER = "SYNCGUARD_REDIS_USER";
  static final String PASSWORD = "SYNCGUARD_REDIS_PASSWORD";
  static final String SENTINEL_USER = "SYNCGUARD_REDIS_SENTINEL_USER";
  static final String SENTINEL_PASSWORD = "SYNCGUARD_REDIS_SENTINEL_PASSWORD";

  private static final Pattern URL = Pattern.compile(
      "redis(?<tls>s?)(?:\\+(?<kind>sentinel|cluster))?://(?:(?<login>[^@/]*)@)?(?<hosts>[^/?#]+)(?:/(?<path>[^?#]*))?");
  private static final Pattern HOST =
      Pattern.compile("(?<host>\\[[0-9a-fA-F:.%]+]|[^:\\[\\]]+)(?::(?<port>\\d{1,5}))?");
  private static final int REDIS_PORT = 6379;
  private static final int SENTINEL_PORT = 26379;
  private static final int CONNECTIONS = 32;
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int CLUSTER_REDIRECTIONS = 5;

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
  private final Login login;
  private final Login sentinelLogin;

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
    String given = Optional.ofNullable(url.group("login")).orElse("");
    int colon = given.indexOf(':');
    login = new Login(
        firstOf(environment.get(USER), decoded(colon < 0 ? given : given.substring(0, colon))),
        firstOf(environment.get(PASSWORD), decoded(colon < 0 ? "" : given.substring(colon + 1))));
    // A Sentinel is another server, often looked after by others: it never sees our password.
    sentinelLogin = new Login(
        firstOf(environment.get(SENTINEL_USER), ""),
        firstOf(environment.get(SENTINEL_PASSWORD), ""));
  }

  private record Login(@Nullable String user, @Nullable String password) {
    DefaultJedisClientConfig.Builder into(DefaultJedisClientConfig.Builder config) {
      return password == null ? config : config.user(user).password(password);
    }
  }

  /** A client over connections of ours. Its constructor is one that every version of the driver has. */
  private static final class Client extends UnifiedJedis {
    Client(ConnectionProvider connections, JedisClientConfig config) {
      super(connections, config.getRedisProtocol());
    }
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
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // Without its cause, which repeats what it could not read.
      throw LockException.invalidArgument("User or password in the Redis URL has a % that is not"
          + " followed by two hexadecimal digits; write %25 for a percent sign, or put them into "
          + USER + " and " + PASSWORD);
    }
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
    JedisClientConfig config = config();
    try {
      return switch (kind) {
        case STANDALONE ->
          new Client(
              new PooledConnectionProvider(
                  new DiagnosingConnectionFactory(hosts.iterator().next(), config, tls), pool),
              config);
        case SENTINEL ->
          new Client(
              new SentineledConnectionProvider(
                  master.orElseThrow(), config, pool, hosts, sentinelConfig()),
              config);
        case CLUSTER -> cluster(config, pool);
      };
    } catch (JedisException e) {
      throw new RedisErrors(keys).translate(e);
    }
  }

  @SuppressWarnings("deprecation") // Its successor does not exist in all versions of the driver.
  private UnifiedJedis cluster(JedisClientConfig config, ConnectionPoolConfig pool) {
    return new redis.clients.jedis.JedisCluster(
        new ClusterConnectionProvider(hosts, config, pool),
        CLUSTER_REDIRECTIONS,
        PATIENCE.multipliedBy(CLUSTER_REDIRECTIONS));
  }

  private JedisClientConfig config() {
    return login
        .into(encrypted(DefaultJedisClientConfig.builder()))
        .timeoutMillis((int) PATIENCE.toMillis())
        .database(database)
        .clientName("syncguard")
        // Without it the driver opens a second connection to try an older protocol.
        .protocol(RedisProtocol.RESP2)
        .build();
  }

  private JedisClientConfig sentinelConfig() {
    return sentinelLogin
        .into(encrypted(DefaultJedisClientConfig.builder()))
        .timeoutMillis((int) PATIENCE.toMillis())
        .build();
  }

  /** Certificates and host names are checked against what the JVM trusts. */
  private DefaultJedisClientConfig.Builder encrypted(DefaultJedisClientConfig.Builder config) {
    return tls ? config.sslOptions(SslOptions.builder().build()) : config;
  }

  @Override
  public String toString() {
    return "RedisAddress[" + kind + ", " + hosts.size() + " hosts]";
  }
}
