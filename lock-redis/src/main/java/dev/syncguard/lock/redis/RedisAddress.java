package dev.syncguard.lock.redis;

import dev.syncguard.lock.LockException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;

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

  private enum Kind {
    STANDALONE,
    SENTINEL,
    CLUSTER
  }

  private final Kind kind;
  private final RedisSettings settings;

  private RedisAddress(Matcher url, Map<String, String> environment) {
    kind = url.group("kind") == null
        ? Kind.STANDALONE
        : url.group("kind").equals("cluster") ? Kind.CLUSTER : Kind.SENTINEL;
    List<InetSocketAddress> hosts =
        Arrays.stream(url.group("hosts").split(",", -1)).map(this::host).toList();
    List<String> path = url.group("path") == null || url.group("path").isEmpty()
        ? List.of()
        : List.of(url.group("path").split("/", -1));
    boolean named = kind == Kind.SENTINEL;
    if (path.size() > (named ? 2 : kind == Kind.CLUSTER ? 0 : 1) || (named && path.isEmpty())) {
      throw unreadable();
    }
    if (kind == Kind.STANDALONE && hosts.size() > 1) {
      throw unreadable();
    }
    RedisSettings place = switch (kind) {
      case STANDALONE ->
        RedisSettings.standalone(hosts.get(0).getHostString(), hosts.get(0).getPort());
      case SENTINEL -> RedisSettings.sentinel(path.get(0), hosts);
      case CLUSTER -> RedisSettings.cluster(hosts);
    };
    String given = Optional.ofNullable(url.group("login")).orElse("");
    int colon = given.indexOf(':');
    RedisSettings plain = place
        .database(path.size() > (named ? 1 : 0) ? number(path.get(path.size() - 1)) : 0)
        .login(
            firstOf(environment.get(USER), decoded(colon < 0 ? given : given.substring(0, colon))),
            firstOf(
                environment.get(PASSWORD), decoded(colon < 0 ? "" : given.substring(colon + 1))))
        // A Sentinel is another server, often looked after by others: it never sees our password.
        .sentinelLogin(
            firstOf(environment.get(SENTINEL_USER), ""),
            firstOf(environment.get(SENTINEL_PASSWORD), ""));
    settings = url.group("tls").isEmpty() ? plain : plain.encrypted();
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

  private InetSocketAddress host(String text) {
    Matcher matcher = HOST.matcher(text);
    if (!matcher.matches()) {
      throw unreadable();
    }
    String port = matcher.group("port");
    int standard = kind == Kind.SENTINEL ? SENTINEL_PORT : REDIS_PORT;
    return InetSocketAddress.createUnresolved(
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

  /** Returns a client that is ours to close. */
  UnifiedJedis connect(RedisKeys keys) {
    return settings.connect(keys);
  }

  @Override
  public String toString() {
    return "RedisAddress[" + settings + "]";
  }
}
