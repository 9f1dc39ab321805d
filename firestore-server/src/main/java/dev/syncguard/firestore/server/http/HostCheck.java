package dev.syncguard.firestore.server.http;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that were sent to another name than ours. A web page can make a browser resolve its own name to this
 * machine; what the browser then sends still carries that name.
 */
public final class HostCheck implements DecoratingHttpServiceFunction {
  private final Set<String> hosts;

  /** @param hosts the names and addresses we answer to, without port */
  public HostCheck(Set<String> hosts) {
    this.hosts = Set.copyOf(hosts);
  }

  @Override
  public HttpResponse serve(HttpService delegate, ServiceRequestContext ctx, HttpRequest request)
      throws Exception {
    return isOurs(request.authority(), ctx.localAddress().getAddress())
        ? delegate.serve(ctx, request)
        : HttpResponse.of(
            HttpStatus.FORBIDDEN,
            MediaType.PLAIN_TEXT_UTF_8,
            "This server does not answer to that host name. Allow it with --allow-host or"
                + " allowHosts.\n");
  }

  /** @param local the address at which the request has arrived: nobody can make it stand for something else */
  boolean isOurs(@Nullable String authority, InetAddress local) {
    if (authority == null) {
      return false;
    }
    String host = host(authority).toLowerCase(Locale.ROOT);
    return hosts.contains(host) || local.equals(NetUtil.createInetAddressFromIpAddressString(host));
  }

  private static String host(String authority) {
    if (authority.startsWith("[")) {
      int end = authority.indexOf(']');
      return end < 0 ? authority : authority.substring(1, end);
    }
    int colon = authority.indexOf(':');
    return colon < 0 ? authority : authority.substring(0, colon);
  }
}
