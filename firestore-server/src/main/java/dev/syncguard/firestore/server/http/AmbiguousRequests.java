package dev.syncguard.firestore.server.http;

import com.google.rpc.Code;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.FirestoreServerException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import java.time.Duration;
import java.util.List;

/**
 * Refuses requests that a proxy before us could read differently: sent to two hosts, or with two opinions on where they
 * end. One request could otherwise be smuggled in as the body of another. Thread-safe.
 */
public final class AmbiguousRequests implements DecoratingHttpServiceFunction {
  /** How long the first line of a request may be. Old web clients write their tokens into the address. */
  public static final int MAX_REQUEST_LINE = 16 << 10;

  private final Duration patience;

  /** @param patience how long a request over HTTP/1 may take to arrive before its connection is closed */
  public AmbiguousRequests(Duration patience) {
    this.patience = patience;
  }

  /** Lets a new connection be watched; all of them must be. */
  public void watch(ChannelPipeline connection) {
    connection.addFirst(new FramingWatch(patience));
  }

  @Override
  public HttpResponse serve(HttpService delegate, ServiceRequestContext ctx, HttpRequest request)
      throws Exception {
    if (FramingWatch.isInDoubt(channel(ctx))) {
      throw refused(ctx, "A request has a Content-Length or chunks, not both or anything else.");
    }
    if (hasSeveralHosts(request.headers())) {
      throw refused(ctx, "A request is sent to one host.");
    }
    return delegate.serve(ctx, request);
  }

  private static boolean hasSeveralHosts(RequestHeaders headers) {
    List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
    return hosts.size() > 1
        || (hosts.size() == 1 && !hosts.get(0).equalsIgnoreCase(headers.authority()));
  }

  private static FirestoreServerException refused(ServiceRequestContext ctx, String why) {
    var unused = ctx.initiateConnectionShutdown();
    return new FirestoreServerException(Code.INVALID_ARGUMENT, why);
  }

  private static Channel channel(ServiceRequestContext ctx) {
    return ctx.log().ensureAvailable(RequestLogProperty.SESSION).channel();
  }
}
