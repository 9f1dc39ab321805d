package dev.syncguard.torture;

import dev.syncguard.torture.proxy.FaultProxy;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The way from workers to their store, and whether a proxy can be put into it.
 *
 * <p>A proxy needs one address that stays the same: there is none where the store tells clients to go elsewhere (Sentinel, Cluster,
 * several hosts), where they check the name of the other end (encrypted), or where there is no network (a file).
 */
public final class Route {

  static final String STORE = "SYNCGUARD_STORE";
  static final String EMULATOR = "FIRESTORE_EMULATOR_HOST";

  private static final Pattern URL = Pattern.compile(
      "(?<scheme>redis|postgres|postgresql)://(?<login>[^@/]*@)?(?<host>[^:/?,\\[\\]]+)(?::(?<port>\\d{1,5}))?(?<rest>[/?].*)?");
  private static final Pattern HOST = Pattern.compile("(?<host>[^:/]+):(?<port>\\d{1,5})");
  private static final Pattern ENCRYPTED =
      Pattern.compile(".*sslmode=(require|verify-ca|verify-full).*");

  private final Map<String, String> environment;
  private final @Nullable String host;
  private final int port;
  private final String why;

  private Route(Map<String, String> environment, @Nullable String host, int port, String why) {
    this.environment = Map.copyOf(environment);
    this.host = host;
    this.port = port;
    this.why = why;
  }

  /** Returns the way to the store at this address. What workers need besides is in the environment. */
  public static Route to(String address, Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(environment);
    all.put(STORE, address);
    if (address.startsWith("firestore:")) {
      Matcher emulator = HOST.matcher(environment.getOrDefault(EMULATOR, ""));
      return emulator.matches()
          ? new Route(all, emulator.group("host"), Integer.parseInt(emulator.group("port")), "")
          : new Route(all, null, 0, "the way to Google's servers is encrypted");
    }
    if (address.startsWith("sqlite:")) {
      return new Route(all, null, 0, "a file is not reached over a network");
    }
    Matcher url = URL.matcher(address);
    if (!url.matches()) {
      return new Route(
          all,
          null,
          0,
          "a store of several hosts, or an encrypted one, cannot be reached through a proxy");
    }
    if (ENCRYPTED.matcher(address).matches()) {
      return new Route(all, null, 0, "the way to the store is encrypted");
    }
    int standard = url.group("scheme").equals("redis") ? 6379 : 5432;
    int port = url.group("port") == null ? standard : Integer.parseInt(url.group("port"));
    return new Route(all, url.group("host"), port, "");
  }

  /** Returns why no proxy can be put into the way, or nothing if one can. */
  public Optional<String> obstacle() {
    return host == null ? Optional.of(why) : Optional.empty();
  }

  boolean isFile() {
    return environment.getOrDefault(STORE, "").startsWith("sqlite:");
  }

  /** Returns a proxy to the store; there must be no obstacle. */
  public FaultProxy newProxy() throws IOException {
    return FaultProxy.to(host(), port);
  }

  String host() {
    if (host == null) {
      throw new IllegalStateException(why);
    }
    return host;
  }

  int port() {
    return port;
  }

  /** Returns the environment of somebody who goes straight to the store. */
  Map<String, String> direct() {
    return environment;
  }

  /** Returns the environment of somebody who goes through a proxy on this port of this machine. */
  public Map<String, String> through(int proxy) {
    Map<String, String> changed = new HashMap<>(environment);
    String address = environment.getOrDefault(STORE, "");
    if (address.startsWith("firestore:")) {
      changed.put(EMULATOR, "127.0.0.1:" + proxy);
      return changed;
    }
    Matcher url = URL.matcher(address);
    if (!url.matches()) {
      throw new IllegalStateException(why);
    }
    changed.put(
        STORE,
        url.group("scheme") + "://" + Optional.ofNullable(url.group("login")).orElse("")
            + "127.0.0.1:" + proxy + Optional.ofNullable(url.group("rest")).orElse(""));
    return changed;
  }

  /** Shows no address: it may contain a password. */
  @Override
  public String toString() {
    return "Route[" + (host == null ? why : "one host") + "]";
  }
}
