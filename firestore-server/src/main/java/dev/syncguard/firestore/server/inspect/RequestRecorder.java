package dev.syncguard.firestore.server.inspect;

import com.google.rpc.Code;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.Access;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.auth.BearerTokens;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.rules.Rules;
import dev.syncguard.rules.report.RulesExplanation;
import io.netty.util.AttributeKey;
import java.util.Optional;
import java.util.function.Supplier;

/** Writes requests into a log while somebody wants to see it, and costs one look at a flag while nobody does. Thread-safe. */
public final class RequestRecorder implements DecoratingHttpServiceFunction {
  private static final AttributeKey<RequestEntry> ENTRY =
      AttributeKey.valueOf(RequestRecorder.class, "ENTRY");
  /** Sent by whoever shows the log. */
  private static final String UNLOGGED = "x-syncguard-unlogged";

  private static final String GRPC = "/google.firestore.";

  private final RequestLog log;

  /** Creates a recorder that writes into this log. */
  public RequestRecorder(RequestLog log) {
    this.log = log;
  }

  @Override
  public HttpResponse serve(HttpService delegate, ServiceRequestContext ctx, HttpRequest request)
      throws Exception {
    if (log.isRecording() && isApi(ctx.path()) && !request.headers().contains(UNLOGGED)) {
      begin(ctx, request);
    }
    return delegate.serve(ctx, request);
  }

  private static boolean isApi(String path) {
    return path.startsWith(GRPC) || path.startsWith("/v1/") || path.startsWith("/v1beta1/");
  }

  private void begin(ServiceRequestContext ctx, HttpRequest request) {
    boolean grpc = ctx.path().startsWith(GRPC);
    int end = ctx.path().lastIndexOf(grpc ? '/' : ':') + 1;
    String verb = grpc || end > 0 ? " " + ctx.path().substring(end) : "";
    RequestEntry entry = log.begin(
        (grpc ? "gRPC" : request.method().name()) + verb,
        caller(request),
        grpc ? "" : ctx.decodedPath());
    ctx.setAttr(ENTRY, entry);
    var unused = ctx.log().whenComplete().thenAccept(done -> {
      String status = done.isAvailable(RequestLogProperty.RESPONSE_HEADERS)
          ? String.valueOf(done.responseHeaders().get(HttpHeaderNames.STATUS))
          : "";
      if (grpc) {
        String code = done.responseTrailers()
            .get("grpc-status", done.responseHeaders().get("grpc-status", ""));
        status = name(code);
      }
      log.answered(entry, status, done.totalDurationNanos());
    });
  }

  private static String name(String code) {
    try {
      return String.valueOf(Code.forNumber(Integer.parseInt(code)));
    } catch (NumberFormatException e) {
      return "ended";
    }
  }

  private static String caller(HttpRequest request) {
    try {
      AuthContext who = BearerTokens.parse(request.headers().get(HttpHeaderNames.AUTHORIZATION));
      return who instanceof AuthContext.User user
          ? "user " + user.uid()
          : who instanceof AuthContext.Owner ? "administrator" : "anonymous";
    } catch (FirestoreServerException e) {
      return "unreadable token";
    }
  }

  private static Optional<RequestEntry> current() {
    ServiceRequestContext ctx = ServiceRequestContext.currentOrNull();
    return ctx == null ? Optional.empty() : Optional.ofNullable(ctx.attr(ENTRY));
  }

  /** Returns an authorizer that decides as another one does and lets the log know. */
  public Authorizer observing(Authorizer authorizer) {
    return new Authorizer() {
      @Override
      public void authorize(AuthContext who, Access what) {
        authorizeObserved(authorizer, who, what);
      }

      @Override
      public boolean isPrompt(AuthContext who, DatabaseName database) {
        return authorizer.isPrompt(who, database);
      }
    };
  }

  private void authorizeObserved(Authorizer authorizer, AuthContext who, Access what) {
    Optional<RequestEntry> entry = log.isRecording() ? current() : Optional.empty();
    entry.ifPresent(seen -> seen.isAbout(what.database().toString(), Accesses.describe(what)));
    try {
      authorizer.authorize(who, what);
    } catch (FirestoreServerException e) {
      if (e.code() == Code.PERMISSION_DENIED) {
        entry.ifPresent(seen -> seen.isDenied(String.valueOf(e.getMessage())));
      }
      throw e;
    }
  }

  /** Takes the reasons of a denial; they are worked out only if somebody wants to see them. */
  public void denied(Rules rules, Supplier<RulesExplanation> explanation) {
    if (log.isRecording()) {
      current()
          .ifPresent(
              entry -> entry.isExplainedBy(Reasons.of(rules.source().text(), explanation.get())));
    }
  }
}
