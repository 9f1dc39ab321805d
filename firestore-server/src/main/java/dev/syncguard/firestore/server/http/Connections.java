package dev.syncguard.firestore.server.http;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.http.Connection.Worth;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.util.AttributeKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Keeps room for new connections: when there are many, each new one costs the one that has made no progress for longest.
 * And sees to it that a request arrives and its answer is taken in time, however slow the client is. Thread-safe.
 */
public final class Connections implements DecoratingHttpServiceFunction {
  private static final AttributeKey<Connection> CONNECTION =
      AttributeKey.valueOf(Connections.class, "CONNECTION");
  private static final AttributeKey<Exchange> EXCHANGE =
      AttributeKey.valueOf(Connections.class, "EXCHANGE");

  /** An answer over gRPC, or to an import or an export, may take this many times longer than the request. */
  private static final int CALL_FACTOR = 10;

  /** So long a client has to read that it was too slow. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private static final int RESERVED_PART = 10;

  private final int max;
  private final int room;
  private final Duration patience;
  private final Set<Connection> open = new HashSet<>();
  private final Set<Connection> closing = new HashSet<>();
  private final Set<Channel> paused = new HashSet<>();

  /**
   * @param max how many there may be; every tenth is kept free, for those that come while the slowest are being closed
   * @param patience how long a request may take to arrive, a stream its first message, and then the answer
   */
  public Connections(int max, Duration patience) {
    this.max = max;
    this.room = max - max / RESERVED_PART;
    this.patience = patience;
  }

  /**
   * Counts a new connection, on the thread that accepts them: those that read and close could be far behind it. If there
   * are too many until the slowest are closed, the next ones wait with the system, which resets none of them.
   */
  public synchronized void admit(Channel channel) {
    if (channel.hasAttr(CONNECTION)) {
      return;
    }
    Connection added = new Connection(channel, System.nanoTime());
    channel.attr(CONNECTION).set(added);
    if (open.size() >= room) {
      shedSlowest();
    }
    if (open.size() >= max) { // all of them with calls
      added.close();
      return;
    }
    open.add(added);
    var unused = channel.closeFuture().addListener(closed -> forget(added));
    Channel acceptor = channel.parent();
    if (open.size() + closing.size() >= max && !closing.isEmpty() && paused.add(acceptor)) {
      var unusedToo = acceptor.config().setAutoRead(false);
    }
  }

  /**
   * Lets a new connection be closed when its client is gone without a word: it is pinged when nothing has come for once or twice
   * this time, and closed after five times.
   */
  public static void watchSilence(ChannelPipeline connection, Duration pingAfter) {
    connection.addFirst(new SilenceWatch(pingAfter));
  }

  /** Closes the slowest connection, if there is one without calls. */
  private void shedSlowest() {
    long now = System.nanoTime();
    open.stream()
        .filter(other -> other.worth() != Worth.CALLS)
        .min(Comparator.comparing(Connection::worth)
            .thenComparing(other -> other.lastProgress() - now))
        .ifPresent(slowest -> {
          open.remove(slowest); // at once, so that the next one takes another
          closing.add(slowest);
          slowest.close();
        });
  }

  private synchronized void forget(Connection closed) {
    open.remove(closed);
    closing.remove(closed);
    paused.forEach(acceptor -> acceptor.config().setAutoRead(true));
    paused.clear();
  }

  @Override
  public HttpResponse serve(HttpService delegate, ServiceRequestContext ctx, HttpRequest request)
      throws Exception {
    Connection connection = Objects.requireNonNull(ctx.log()
        .ensureAvailable(RequestLogProperty.SESSION)
        .channel()
        .attr(CONNECTION)
        .get());
    boolean call = String.valueOf(request.contentType()).startsWith("application/grpc")
        || ctx.path().endsWith("/channel"); // the streams of web pages
    boolean mayTakeLong = call || ctx.path().startsWith("/emulator/"); // as an import does
    Duration answer = mayTakeLong ? patience.multipliedBy(CALL_FACTOR) : patience;
    Exchange exchange = new Exchange(connection, call, ctx.eventLoop(), () -> end(ctx, connection));
    exchange.begin(patience);
    ctx.setAttr(EXCHANGE, exchange);
    var unused = request.whenComplete().handle((done, failure) -> {
      exchange.arrived(answer);
      return null;
    });
    var unusedToo = ctx.log().whenComplete().thenRun(exchange::ended);
    return delegate.serve(ctx, request);
  }

  /** Ends what takes too long, and over HTTP/1 its connection: where the next request would begin, only the client knows. */
  private static void end(ServiceRequestContext ctx, Connection connection) {
    ctx.timeoutNow();
    if (!ctx.sessionProtocol().isMultiplex()) {
      var unused =
          ctx.eventLoop().schedule(connection::close, LINGER.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Says that a stream has sent its first message, and may stay for as long as it likes. */
  public static void begun(ServiceRequestContext ctx) {
    Exchange exchange = ctx.attr(EXCHANGE);
    if (exchange != null) {
      exchange.endless();
    }
  }
}
