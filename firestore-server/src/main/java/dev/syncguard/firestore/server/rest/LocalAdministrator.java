package dev.syncguard.firestore.server.rest;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.auth.BearerTokens;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Refuses to take somebody on another machine for the administrator. Everybody knows the token {@code owner}, and the
 * emulator's endpoints ask for none, so all that they prove is that the caller is on this machine.
 */
public final class LocalAdministrator implements DecoratingHttpServiceFunction {
  private final boolean anywhere;

  /** @param anywhere whether to believe it from everywhere, after all */
  public LocalAdministrator(boolean anywhere) {
    this.anywhere = anywhere;
  }

  @Override
  public HttpResponse serve(HttpService delegate, ServiceRequestContext ctx, HttpRequest request)
      throws Exception {
    boolean allowed = isAllowed(
        ctx.remoteAddress().getAddress(),
        ctx.path(),
        request.headers().get(HttpHeaderNames.AUTHORIZATION));
    // A gRPC client reads this status as PERMISSION_DENIED.
    return allowed
        ? delegate.serve(ctx, request)
        : HttpResponse.of(
            HttpStatus.FORBIDDEN,
            MediaType.PLAIN_TEXT_UTF_8,
            "Only clients on the machine of the server can be its administrator.\n");
  }

  boolean isAllowed(InetAddress peer, String path, @Nullable String authorization) {
    return mayBe(peer) || !wantsToAdminister(path, authorization);
  }

  /** Returns whether somebody at that address is believed to be the administrator. */
  public boolean mayBe(InetAddress peer) {
    return anywhere || peer.isLoopbackAddress();
  }

  private static boolean wantsToAdminister(String path, @Nullable String authorization) {
    boolean api = path.startsWith("/v1/")
        || path.startsWith("/v1beta1/")
        || path.startsWith("/google.firestore.");
    if (!api) {
      return !path.equals("/");
    }
    try {
      return BearerTokens.parse(authorization) instanceof AuthContext.Owner;
    } catch (FirestoreServerException e) {
      return false; // no token at all, as the service will say
    }
  }
}
