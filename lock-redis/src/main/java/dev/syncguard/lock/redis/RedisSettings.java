package dev.syncguard.lock.redis;

import dev.syncguard.lock.LockException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
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

/**
 * Where a Redis is and how to get in, for programs that know it in parts rather than as a URL. Immutable; its text shows
 * neither hosts nor passwords.
 */
public final class RedisSettings {

  private static final int CONNECTIONS = 32;
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int CLUSTER_REDIRECTIONS = 5;

  private enum Kind {
    STANDALONE,
    SENTINEL,
    CLUSTER
  }

  private final Kind kind;
  private final Set<HostAndPort> hosts;
  private final Optional<String> master;
  private final int database;
  private final Login login;
  private final Login sentinelLogin;
  private final boolean encrypted;
  private final Optional<SSLContext> trust;
  private final Duration timeout;

  private record Login(@Nullable String user, @Nullable String password) {
    static final Login NONE = new Login(null, null);

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

  private RedisSettings(
      Kind kind,
      Set<HostAndPort> hosts,
      Optional<String> master,
      int database,
      Login login,
      Login sentinelLogin,
      boolean encrypted,
      Optional<SSLContext> trust,
      Duration timeout) {
    this.kind = kind;
    this.hosts = hosts;
    this.master = master;
    this.database = database;
    this.login = login;
    this.sentinelLogin = sentinelLogin;
    this.encrypted = encrypted;
    this.trust = trust;
    this.timeout = timeout;
  }

  private static RedisSettings of(
      Kind kind, Collection<InetSocketAddress> hosts, Optional<String> master) {
    if (hosts.isEmpty()) {
      throw LockException.invalidArgument("Name at least one Redis host");
    }
    return new RedisSettings(
        kind,
        hosts.stream()
            .map(host -> new HostAndPort(host.getHostString(), host.getPort()))
            .collect(Collectors.toUnmodifiableSet()),
        master,
        0,
        Login.NONE,
        Login.NONE,
        false,
        Optional.empty(),
        PATIENCE);
  }

  /** Returns the settings of one server. */
  public static RedisSettings standalone(String host, int port) {
    return of(
        Kind.STANDALONE, List.of(InetSocketAddress.createUnresolved(host, port)), Optional.empty());
  }

  /** Returns the settings of a primary that Sentinels know under a name. The hosts are those of the Sentinels. */
  public static RedisSettings sentinel(String master, Collection<InetSocketAddress> hosts) {
    return of(Kind.SENTINEL, hosts, Optional.of(master));
  }

  /** Returns the settings of a cluster; some of its nodes are enough. */
  public static RedisSettings cluster(Collection<InetSocketAddress> hosts) {
    return of(Kind.CLUSTER, hosts, Optional.empty());
  }

  /** Sets the database. The default is 0, the only one that a cluster has. */
  public RedisSettings database(int number) {
    if (number < 0 || (kind == Kind.CLUSTER && number != 0)) {
      throw LockException.invalidArgument(
          "A Redis database is a number from 0 on; a cluster has only 0");
    }
    return new RedisSettings(
        kind, hosts, master, number, login, sentinelLogin, encrypted, trust, timeout);
  }

  /** Sets user and password. Without a user it is the default one, without a password nobody logs in. */
  public RedisSettings login(@Nullable String user, @Nullable String password) {
    return new RedisSettings(
        kind,
        hosts,
        master,
        database,
        new Login(user, password),
        sentinelLogin,
        encrypted,
        trust,
        timeout);
  }

  /** Sets user and password for the Sentinels, which never see those of the server. */
  public RedisSettings sentinelLogin(@Nullable String user, @Nullable String password) {
    return new RedisSettings(
        kind, hosts, master, database, login, new Login(user, password), encrypted, trust, timeout);
  }

  /** Encrypts all connections, with the certificates that the JVM trusts. Host names are checked. */
  public RedisSettings encrypted() {
    return new RedisSettings(
        kind, hosts, master, database, login, sentinelLogin, true, Optional.empty(), timeout);
  }

  /** Encrypts all connections, with the certificates and keys of this context. Host names are checked. */
  public RedisSettings encrypted(SSLContext context) {
    return new RedisSettings(
        kind, hosts, master, database, login, sentinelLogin, true, Optional.of(context), timeout);
  }

  /** Sets how long connecting, and each answer of the server, may take. The default is 2 seconds. */
  public RedisSettings timeout(Duration atMost) {
    if (atMost.compareTo(Duration.ofMillis(1)) < 0
        || atMost.compareTo(Duration.ofMillis(Integer.MAX_VALUE)) > 0) {
      throw LockException.invalidArgument("The timeout must be between 1 ms and 24 days");
    }
    return new RedisSettings(
        kind, hosts, master, database, login, sentinelLogin, encrypted, trust, atMost);
  }

  /** Returns a client that is ours to close. Locks come and go quickly, so few connections serve many threads. */
  UnifiedJedis connect(RedisKeys keys) {
    if (kind == Kind.CLUSTER && !keys.shareOneSlot()) {
      throw keys.spreadOverSlots();
    }
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(CONNECTIONS);
    pool.setMaxIdle(CONNECTIONS);
    pool.setMaxWait(timeout);
    // The turnstile sees to it that those who came first are served first. In a fair pool threads
    // queue for each look at it: a third as many pairs with 16 threads.
    JedisClientConfig config = config();
    try {
      return switch (kind) {
        case STANDALONE ->
          new Client(
              new PooledConnectionProvider(
                  new DiagnosingConnectionFactory(hosts.iterator().next(), config, encrypted),
                  pool),
              config);
        case SENTINEL ->
          new Client(
              new SentineledConnectionProvider(
                  master.orElseThrow(), config, pool, hosts, sentinelConfig()),
              config);
        case CLUSTER -> clusterClient(config, pool);
      };
    } catch (JedisException e) {
      throw new RedisErrors(keys).translate(e);
    }
  }

  @SuppressWarnings("deprecation") // Its successor does not exist in all versions of the driver.
  private UnifiedJedis clusterClient(JedisClientConfig config, ConnectionPoolConfig pool) {
    return new redis.clients.jedis.JedisCluster(
        new ClusterConnectionProvider(hosts, config, pool),
        CLUSTER_REDIRECTIONS,
        timeout.multipliedBy(CLUSTER_REDIRECTIONS));
  }

  private JedisClientConfig config() {
    return login
        .into(encryption(DefaultJedisClientConfig.builder()))
        .timeoutMillis((int) timeout.toMillis())
        .database(database)
        .clientName("syncguard")
        // Without it the driver opens a second connection to try an older protocol.
        .protocol(RedisProtocol.RESP2)
        .build();
  }

  private JedisClientConfig sentinelConfig() {
    return sentinelLogin
        .into(encryption(DefaultJedisClientConfig.builder()))
        .timeoutMillis((int) timeout.toMillis())
        .build();
  }

  /** Certificates and host names are always checked. */
  @SuppressWarnings("deprecation") // Its successor reads key stores, but takes no context.
  private DefaultJedisClientConfig.Builder encryption(DefaultJedisClientConfig.Builder config) {
    if (!encrypted) {
      return config;
    }
    if (trust.isEmpty()) {
      return config.sslOptions(SslOptions.builder().build());
    }
    SSLParameters checkingNames = new SSLParameters();
    checkingNames.setEndpointIdentificationAlgorithm("HTTPS");
    return config
        .ssl(true)
        .sslSocketFactory(trust.get().getSocketFactory())
        .sslParameters(checkingNames);
  }

  @Override
  public String toString() {
    return "RedisSettings[" + kind + ", " + hosts.size() + " hosts, database " + database
        + (login.password == null ? "" : ", with a password") + (encrypted ? ", encrypted" : "")
        + "]";
  }
}
