package dev.syncguard.firestore.server.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.Objects;

/** Lets web pages of any origin use the server, as the emulator does: it is made for local development. */
public final class CrossOrigin implements DecoratingHttpServiceFunction {
  @Override
  public HttpResponse serve(HttpService delegate, ServiceRequestContext ctx, HttpRequest request)
      throws Exception {
    String origin = request.headers().get(HttpHeaderNames.ORIGIN);
    if (origin == null) {
      return delegate.serve(ctx, request);
    }
    if (request.method() == HttpMethod.OPTIONS) {
      String headers = request.headers().get(HttpHeaderNames.ACCESS_CONTROL_REQUEST_HEADERS);
      return HttpResponse.of(ResponseHeaders.builder(HttpStatus.OK)
          .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
          .set(
              HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS,
              "GET, POST, PUT, PATCH, DELETE, OPTIONS")
          .set(
              HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS,
              Objects.requireNonNullElse(headers, "*"))
          .build());
    }
    return delegate
        .serve(ctx, request)
        .mapHeaders(headers -> headers.toBuilder()
            .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
            .add(HttpHeaderNames.VARY, "Origin")
            .build());
  }
}
