package dev.syncguard.firestore.server.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpHeadersBuilder;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.AsciiString;

/**
 * Lets web pages of trusted origins use the server, with credentials and from public pages into the local network, and
 * refuses all others: a browser would send what they ask for, and only keep the answer from them. Thread-safe.
 */
public final class CrossOrigin implements DecoratingHttpServiceFunction {
  private static final AsciiString REQUEST_PRIVATE_NETWORK =
      AsciiString.cached("access-control-request-private-network");
  private static final AsciiString ALLOW_PRIVATE_NETWORK =
      AsciiString.cached("access-control-allow-private-network");
  private static final String METHODS = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT";
  /** Beside those that every page may read. */
  private static final String READABLE =
      "content-length, date, grpc-message, grpc-status, x-client-wire-protocol,"
          + " x-http-initial-response, x-http-session-id";

  private static final int MAX_AGE_SECONDS = 600;

  private final Origins origins;

  /** Creates a filter that lets web pages of these origins in. */
  public CrossOrigin(Origins origins) {
    this.origins = origins;
  }

  @Override
  public HttpResponse serve(HttpService delegate, ServiceRequestContext ctx, HttpRequest request)
      throws Exception {
    String origin = request.headers().get(HttpHeaderNames.ORIGIN);
    if (origin == null) {
      return delegate.serve(ctx, request);
    }
    if (!origins.isAllowed(origin, request.authority())) {
      return HttpResponse.of(
          HttpStatus.FORBIDDEN,
          MediaType.PLAIN_TEXT_UTF_8,
          "Web pages of this origin may not use the server. Allow it with --allow-origin or"
              + " allowOrigins.\n");
    }
    if (request.method() == HttpMethod.OPTIONS) {
      return HttpResponse.of(preflight(origin, request.headers()));
    }
    // Whatever the answer will be and whoever makes it: a page that cannot read an error takes it
    // for a broken network.
    ctx.mutateAdditionalResponseHeaders(headers -> {
      allow(headers, origin);
      headers.set(HttpHeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, READABLE);
    });
    return delegate.serve(ctx, request);
  }

  private static ResponseHeaders preflight(String origin, RequestHeaders request) {
    ResponseHeadersBuilder headers = ResponseHeaders.builder(HttpStatus.OK);
    allow(headers, origin);
    headers
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
        .setInt(HttpHeaderNames.ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS);
    String wanted = request.get(HttpHeaderNames.ACCESS_CONTROL_REQUEST_HEADERS);
    if (wanted != null) {
      headers.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, wanted);
    }
    if (request.contains(REQUEST_PRIVATE_NETWORK, "true")) {
      headers.set(ALLOW_PRIVATE_NETWORK, "true");
    }
    return headers.build();
  }

  private static void allow(HttpHeadersBuilder headers, String origin) {
    headers
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true")
        .add(HttpHeaderNames.VARY, "origin");
  }
}
