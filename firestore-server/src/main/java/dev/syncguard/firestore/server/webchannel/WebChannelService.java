package dev.syncguard.firestore.server.webchannel;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.http.Connections;
import dev.syncguard.firestore.server.webchannel.Session.Binding;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One method of Firestore over WebChannel. A client opens a session with a first request, leaves a second one hanging to
 * hear on, sends with others, and says when it is done. Thread-safe.
 */
final class WebChannelService implements HttpService {
  /** Array 0 of a session: its id, no other host, the versions, and when to expect a sign of life. */
  private static final String WELCOME =
      "[[0,[\"c\",\"%s\",\"\",8,12," + BackChannel.NOOP_AFTER.toMillis() + "]]]";

  /** Makes what runs behind a session; refuses those who may not have one. */
  interface Opener {
    ChannelStream open(ServiceRequestContext ctx, AuthContext who, Session session);
  }

  private final Sessions sessions;
  private final Opener opener;

  WebChannelService(Sessions sessions, Opener opener) {
    this.sessions = sessions;
    this.opener = opener;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    ChannelQuery query;
    try {
      query = ChannelQuery.parse(request.method(), ctx.queryParams());
    } catch (IllegalArgumentException e) {
      return malformed(e);
    }
    Binding binding = new Binding(
        ctx.path(), query.database(), request.headers().get(HttpHeaderNames.ORIGIN, ""));
    return switch (query.kind()) {
      case OPEN -> open(ctx, request, query, binding);
      case SEND -> send(ctx, request, query, binding);
      case POLL ->
        sessions
            .find(query.session(), binding)
            .map(session -> poll(ctx, session, query))
            .orElseGet(WebChannelService::unknown);
      case TERMINATE -> {
        sessions.find(query.session(), binding).ifPresent(sessions::close);
        yield answer(HttpStatus.OK, "");
      }
    };
  }

  private static HttpResponse poll(ServiceRequestContext ctx, Session session, ChannelQuery query) {
    Connections.begun(ctx);
    return HangingAnswer.open(ctx, headers(HttpStatus.OK), session, query);
  }

  private HttpResponse open(
      ServiceRequestContext ctx, HttpRequest request, ChannelQuery query, Binding binding) {
    return HttpResponse.of(ChannelBody.of(request)
        .thenApplyAsync(
            form -> {
              Session session = sessions.open(binding);
              start(ctx, request.headers(), query, form, session);
              return answer(HttpStatus.OK, ChannelFrames.of(WELCOME.formatted(session.id())));
            },
            ctx.blockingTaskExecutor())
        .exceptionally(WebChannelService::refusal));
  }

  /** Opens the stream. Whatever is wrong with that is said on the session, where clients look for it. */
  private void start(
      ServiceRequestContext ctx,
      RequestHeaders headers,
      ChannelQuery query,
      ChannelForm form,
      Session session) {
    try {
      AuthContext who = Credentials.of(
          headers.getAll(HttpHeaderNames.AUTHORIZATION), List.of(form.headers(), query.headers()));
      session.start(started -> opener.open(ctx, who, started));
      var unused = session.receive(0, form.messages());
    } catch (FirestoreServerException e) {
      session.fail(e);
    }
  }

  private HttpResponse send(
      ServiceRequestContext ctx, HttpRequest request, ChannelQuery query, Binding binding) {
    return HttpResponse.of(ChannelBody.of(request)
        .thenComposeAsync(
            form -> sessions
                .find(query.session(), binding)
                .map(session -> receive(session, query, form))
                .orElseGet(() -> CompletableFuture.completedFuture(unknown())),
            ctx.blockingTaskExecutor())
        .exceptionally(WebChannelService::refusal));
  }

  private CompletableFuture<HttpResponse> receive(
      Session session, ChannelQuery query, ChannelForm form) {
    try {
      return session
          .receive(query.acknowledged(), form.messages())
          .thenApply(frame -> answer(HttpStatus.OK, frame));
    } catch (IllegalArgumentException | FirestoreServerException e) {
      sessions.close(session); // what was refused is missing now, and nobody will send it again
      throw e;
    }
  }

  private static HttpResponse refusal(Throwable failure) {
    Throwable cause = Exceptions.peel(failure);
    if (cause instanceof IllegalArgumentException) {
      return malformed(cause);
    }
    if (cause instanceof ChannelBody.TooLong) {
      return answer(
          HttpStatus.REQUEST_ENTITY_TOO_LARGE,
          "A request is at most " + ChannelBody.MAX_BYTES + " bytes.\n");
    }
    if (cause instanceof FirestoreServerException known) {
      return answer(HttpStatus.SERVICE_UNAVAILABLE, known.getMessage() + "\n");
    }
    return Exceptions.throwUnsafely(cause);
  }

  private static HttpResponse malformed(Throwable cause) {
    return answer(HttpStatus.BAD_REQUEST, "Malformed request: " + cause.getMessage() + "\n");
  }

  /** Clients look for these words, and not at the start; then they know that it is not the network. */
  private static HttpResponse unknown() {
    return answer(HttpStatus.BAD_REQUEST, "Error: Unknown SID\n");
  }

  private static HttpResponse answer(HttpStatus status, String text) {
    return HttpResponse.of(headers(status), HttpData.ofAscii(text));
  }

  private static ResponseHeaders headers(HttpStatus status) {
    return ResponseHeaders.of(
        status,
        HttpHeaderNames.CONTENT_TYPE,
        MediaType.PLAIN_TEXT_UTF_8,
        HttpHeaderNames.CACHE_CONTROL,
        "no-store",
        // A browser that looks at what comes before it believes the type would hold it back.
        HttpHeaderNames.X_CONTENT_TYPE_OPTIONS,
        "nosniff");
  }
}
