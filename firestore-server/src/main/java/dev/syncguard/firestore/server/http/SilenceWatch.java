package dev.syncguard.firestore.server.http;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import java.time.Duration;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Closes an HTTP/2 connection whose other end is gone without a word, like a phone that has lost its network. Nothing else
 * would tell: a listener may be silent for as long as it likes. A client of which nothing has come for a while is pinged, which
 * every one answers by itself. Over HTTP/1 requests and hanging answers are limited in time anyway.
 *
 * <p>It counts its own turns instead of looking at a clock, so that nobody is lost because this process stood still.
 */
final class SilenceWatch extends ChannelInboundHandlerAdapter {
  /** From this turn without a sign of life on there is a ping each time. */
  private static final int FIRST_PING = 2;

  private static final int LAST_PING = 4;
  private static final long PAYLOAD = 0x73696c656e6365L;

  private final Duration turn;
  private int silentTurns;
  private @Nullable Future<?> timer;

  SilenceWatch(Duration turn) {
    this.turn = turn;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    silentTurns = 0;
    if (timer == null) {
      timer = ctx.executor()
          .scheduleWithFixedDelay(() -> look(ctx), turn.toMillis(), turn.toMillis(), MILLISECONDS);
    }
    ctx.fireChannelRead(message);
  }

  private void look(ChannelHandlerContext ctx) {
    Http2ConnectionHandler http2 = ctx.pipeline().get(Http2ConnectionHandler.class);
    if (http2 == null) {
      return;
    }
    silentTurns++;
    if (silentTurns > LAST_PING) {
      var unused = ctx.close();
    } else if (silentTurns >= FIRST_PING) {
      ChannelHandlerContext writer = ctx.pipeline().context(http2);
      var unused = http2.encoder().writePing(writer, false, PAYLOAD, writer.newPromise());
      writer.flush();
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    Future<?> running = timer;
    if (running != null) {
      running.cancel(false);
    }
  }
}
