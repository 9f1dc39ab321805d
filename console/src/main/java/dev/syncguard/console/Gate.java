package dev.syncguard.console;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Decides who may use the console at all. Thread-safe.
 *
 * <p>A web page elsewhere can make a browser send requests here, and can make its own name resolve to this machine. The
 * first is seen by the origin, the second by the host that the browser believes to talk to. Beyond that everything but the
 * page's own files, which hold no secret, needs the token; it travels in a header, which no other page can set.
 */
final class Gate {

  private static final Set<String> FROM_HERE = Set.of("same-origin", "none");

  private final Set<String> hosts;
  private final AccessToken page;
  private final AccessToken sender;

  /**
   * @param hosts the names that we answer to, without ports
   * @param page opens everything
   * @param sender lets processes tell what they do, and nothing else
   */
  Gate(Set<String> hosts, AccessToken page, AccessToken sender) {
    this.hosts = Set.copyOf(hosts);
    this.page = page;
    this.sender = sender;
  }

  /** Returns why a request is refused, or nothing if it may pass. */
  Optional<ConsoleResponse> refusal(ConsoleRequest request) {
    String authority = request.header("host").orElse("").toLowerCase(Locale.ROOT);
    if (!hosts.contains(host(authority))) {
      return refused(403, "The console does not answer to this host name.");
    }
    Optional<String> origin = request.header("origin").map(text -> text.toLowerCase(Locale.ROOT));
    boolean ours = origin.isEmpty()
        || origin.get().equals("http://" + authority)
        || origin.get().equals("https://" + authority);
    boolean api = !Assets.isPath(request.path());
    boolean near = request.header("sec-fetch-site").map(FROM_HERE::contains).orElse(true);
    if (!ours || (api && !near)) {
      return refused(403, "Other web pages may not use the console.");
    }
    if (api && !isKnown(request)) {
      return refused(
          401, "The token is missing or of an earlier console. Open the address that was printed.");
    }
    return Optional.empty();
  }

  private boolean isKnown(ConsoleRequest request) {
    return request.path().equals(Routes.TELEMETRY) ? sender.isIn(request) : page.isIn(request);
  }

  private static Optional<ConsoleResponse> refused(int status, String message) {
    return Optional.of(ConsoleResponse.problem(status, message));
  }

  private static String host(String authority) {
    int colon = authority.startsWith("[") ? authority.indexOf("]:") + 1 : authority.indexOf(':');
    return colon <= 0 ? authority : authority.substring(0, colon);
  }
}
