package dev.syncguard.firestore.server.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whose web pages may use the server: those of this machine, of the server itself, and those that were allowed by name. Any
 * other page that somebody happens to look at could otherwise read and write everything. Thread-safe.
 */
public final class Origins {
  private final Set<String> allowed;

  /** @param allowed more origins, each like {@code https://app.example:8443} */
  public Origins(Set<String> allowed) {
    this.allowed = Set.copyOf(allowed);
  }

  /** Returns the origin as browsers write it, or refuses what is none. */
  public static String checked(String origin) {
    URI uri = parse(origin);
    if (!origin.equals("null")
        && (uri == null
            || uri.getScheme() == null
            || uri.getHost() == null
            || !uri.getPath().isEmpty())) {
      throw new IllegalArgumentException(
          "An origin is like https://app.example:8443, without a path, but was " + origin);
    }
    return origin.toLowerCase(Locale.ROOT);
  }

  /** @param authority the host and port that the request was sent to */
  boolean isAllowed(String origin, @Nullable String authority) {
    String normal = origin.toLowerCase(Locale.ROOT);
    return allowed.contains(normal)
        || normal.equals("http://" + authority)
        || isLocal(parse(normal));
  }

  private static boolean isLocal(@Nullable URI origin) {
    String host = origin == null ? null : origin.getHost();
    return host != null
        && (host.equals("localhost")
            || host.endsWith(".localhost")
            || host.equals("127.0.0.1")
            || host.equals("[::1]"));
  }

  private static @Nullable URI parse(String origin) {
    try {
      return new URI(origin);
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
