package dev.syncguard.firestore.server.webchannel;

import com.google.rpc.Code;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.listen.Listeners;
import dev.syncguard.firestore.server.operation.Operations;
import dev.syncguard.firestore.server.rest.LocalAdministrator;
import java.security.SecureRandom;
import java.util.concurrent.Executor;

/** Firestore's streams for web pages, which cannot speak gRPC. Thread-safe. */
public final class WebChannels {
  /** Where clients look for a method. */
  public static final String LISTEN = "/google.firestore.v1.Firestore/Listen/channel";

  /** The path on which web clients open streams of writes. */
  public static final String WRITE = "/google.firestore.v1.Firestore/Write/channel";

  private static final int MAX_SESSIONS = 2000;

  private final Operations operations;
  private final Listeners listeners;
  private final Executor executor;
  private final LocalAdministrator administrator;
  private final Sessions sessions;

  /**
   * @param executor runs the listeners
   * @param administrator says whose word counts when somebody claims to be it
   * @param maxBytes how much all sessions together may keep for their clients
   */
  public WebChannels(
      Operations operations,
      Listeners listeners,
      Executor executor,
      LocalAdministrator administrator,
      long maxBytes,
      SecureRandom random) {
    this.operations = operations;
    this.listeners = listeners;
    this.executor = executor;
    this.administrator = administrator;
    this.sessions =
        new Sessions(MAX_SESSIONS, maxBytes, listeners::isCrowded, random, System::nanoTime);
  }

  /** Returns the service for {@link #LISTEN}. */
  public HttpService listen() {
    return new WebChannelService(
        sessions,
        (ctx, who, session) ->
            new ListenChannel(operations, listeners, admitted(ctx, who), session, executor));
  }

  /** Returns the service for {@link #WRITE}. */
  public HttpService write() {
    return new WebChannelService(
        sessions,
        (ctx, who, session) -> new WriteChannel(
            operations.commits(), admitted(ctx, who), session, ctx.blockingTaskExecutor()));
  }

  private AuthContext admitted(ServiceRequestContext ctx, AuthContext who) {
    if (who instanceof AuthContext.Owner
        && !administrator.mayBe(ctx.remoteAddress().getAddress())) {
      throw new FirestoreServerException(
          Code.PERMISSION_DENIED,
          "Only clients on the machine of the server can be its administrator.");
    }
    return who;
  }

  /** Does what is due; must be called about once a second. */
  public void upkeep() {
    sessions.tick();
  }

  long usedBytes() {
    return sessions.usedBytes();
  }
}
