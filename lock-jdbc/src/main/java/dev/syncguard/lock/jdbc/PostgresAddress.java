package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.LockException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/** Where the server is and how to get in, read from a URL and the environment. Its text shows no password. */
final class PostgresAddress {

  private static final Pattern URL =
      Pattern.compile("(?:jdbc:)?postgres(?:ql)?://(?:(?<login>[^@/?]*)@)?(?<hosts>[^/?#@]+)"
          + "/(?<database>[^/?#]+)(?:\\?(?<options>[^#]*))?");
  private static final Pattern HOST =
      Pattern.compile("(?<host>\\[[0-9a-fA-F:.%]+]|[^:\\[\\]]+)(?::(?<port>\\d{1,5}))?");
  private static final int STANDARD_PORT = 5432;

  /** What a URL may set. Others could make the driver load classes or write files. */
  private static final Map<String, PGProperty> OPTIONS = Map.of(
      "sslmode", PGProperty.SSL_MODE,
      "sslrootcert", PGProperty.SSL_ROOT_CERT,
      "sslcert", PGProperty.SSL_CERT,
      "sslkey", PGProperty.SSL_KEY,
      "channel_binding", PGProperty.CHANNEL_BINDING,
      "application_name", PGProperty.APPLICATION_NAME);

  private static final Map<String, List<String>> VALUES = Map.of(
      "sslmode", List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
      "channel_binding", List.of("disable", "prefer", "require"));

  private final PGSimpleDataSource source = new PGSimpleDataSource();

  private PostgresAddress(Matcher url, Map<String, String> environment) {
    Matcher[] hosts =
        Arrays.stream(url.group("hosts").split(",", -1)).map(HOST::matcher).toArray(Matcher[]::new);
    if (!Arrays.stream(hosts).allMatch(Matcher::matches)) {
      throw unreadable();
    }
    source.setServerNames(
        Arrays.stream(hosts).map(host -> host.group("host")).toArray(String[]::new));
    source.setPortNumbers(
        Arrays.stream(hosts).mapToInt(host -> port(host.group("port"))).toArray());
    source.setDatabaseName(decoded(url.group("database")));
    String login = Optional.ofNullable(url.group("login")).orElse("");
    int colon = login.indexOf(':');
    source.setUser(firstOf(
        environment.get("SYNCGUARD_POSTGRES_USER"),
        environment.get("PGUSER"),
        decoded(colon < 0 ? login : login.substring(0, colon))));
    source.setPassword(firstOf(
        environment.get("SYNCGUARD_POSTGRES_PASSWORD"),
        environment.get("PGPASSWORD"),
        colon < 0 ? "" : decoded(login.substring(colon + 1))));
    source.setApplicationName("syncguard");
    // With several hosts, locks belong on the one that can be written to.
    if (hosts.length > 1) {
      source.setTargetServerType("primary");
    }
    // The details of an error may quote keys.
    source.setLogServerErrorDetail(false);
    options(Optional.ofNullable(url.group("options")).orElse(""));
  }

  /** Returns the address, or throws {@code InvalidArgument} without repeating the URL, which may hold a password. */
  static PostgresAddress parse(String url, Map<String, String> environment) {
    Matcher matcher = URL.matcher(url);
    if (!matcher.matches()) {
      throw unreadable();
    }
    return new PostgresAddress(matcher, environment);
  }

  private void options(String options) {
    for (String option : options.isEmpty() ? new String[0] : options.split("&", -1)) {
      String[] pair = option.split("=", 2);
      PGProperty property = OPTIONS.get(pair[0]);
      if (property == null || pair.length < 2) {
        throw LockException.invalidArgument("A PostgreSQL URL may set only "
            + String.join(", ", OPTIONS.keySet().stream().sorted().toList())
            + "; for more, give the locks a DataSource");
      }
      requireKnown(pair[0], pair[1]);
      try {
        source.setProperty(property, decoded(pair[1]));
      } catch (IllegalArgumentException e) {
        throw unreadable();
      }
    }
  }

  private static void requireKnown(String option, String value) {
    List<String> known = VALUES.get(option);
    if (known != null && !known.contains(value)) {
      throw LockException.invalidArgument(
          "In a PostgreSQL URL " + option + " is one of " + String.join(", ", known));
    }
  }

  private static LockException unreadable() {
    return LockException.invalidArgument("A PostgreSQL URL looks like"
        + " postgresql://host:5432/database or postgresql://host1,host2/database?sslmode=verify-full."
        + " Put user and password into SYNCGUARD_POSTGRES_USER and SYNCGUARD_POSTGRES_PASSWORD");
  }

  private static int port(@Nullable String digits) {
    int port = digits == null ? STANDARD_PORT : Integer.parseInt(digits);
    if (port < 1 || port > 65_535) {
      throw unreadable();
    }
    return port;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw unreadable();
    }
  }

  private static @Nullable String firstOf(@Nullable String... candidates) {
    return Stream.of(candidates)
        .filter(candidate -> candidate != null && !candidate.isEmpty())
        .findFirst()
        .orElse(null);
  }

  /** Returns the driver's data source, without a pool. */
  PGSimpleDataSource source() {
    return source;
  }

  /** Returns a store with a pool of its own. */
  PostgresStore connect(Duration timeout) {
    // All of connecting: the network, encryption and the password. The driver reads fractions of a
    // second.
    source.setProperty(PGProperty.LOGIN_TIMEOUT, Double.toString(timeout.toMillis() / 1000.0));
    return new PostgresStore(new PostgresPool(source), source, timeout);
  }

  @Override
  public String toString() {
    return "PostgresAddress[" + source.getServerNames().length + " hosts]";
  }
}
