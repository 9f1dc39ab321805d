package dev.syncguard.firestore.server.http;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Reads along on an HTTP/1 connection and marks it when the end of a request is in doubt. The web server behind it drops a
 * length that comes with chunks and goes on, so that nobody after it can tell; this runs the same parser over the same
 * bytes, and sees the headers as they were sent. It closes connections on which a request takes too long to arrive: some
 * are not told to anybody before they are complete.
 */
final class FramingWatch extends ChannelInboundHandlerAdapter {
  private static final AttributeKey<Boolean> IN_DOUBT =
      AttributeKey.valueOf(FramingWatch.class, "IN_DOUBT");

  private final Duration patience;
  private @Nullable EmbeddedChannel
      copy; // made for the first bytes: many connections never send any
  private boolean stopped;
  private @Nullable Future<?> deadline;
  private boolean complete = true;

  /** @param patience how long a request may take to arrive before the connection is closed */
  FramingWatch(Duration patience) {
    this.patience = patience;
  }

  static boolean isInDoubt(Channel channel) {
    return channel.hasAttr(IN_DOUBT);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!stopped && message instanceof ByteBuf bytes && !readAlong(bytes)) {
      ctx.channel().attr(IN_DOUBT).set(true);
      stop();
    }
    if (deadline == null && !stopped && !complete) {
      deadline = ctx.executor().schedule(() -> close(ctx), patience.toMillis(), MILLISECONDS);
    }
    ctx.fireChannelRead(message);
  }

  private static void close(ChannelHandlerContext ctx) {
    var unused = ctx.close();
  }

  private void arrived() {
    complete = true;
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }

  /** Returns whether it is clear so far where requests end. */
  private boolean readAlong(ByteBuf bytes) {
    EmbeddedChannel parser = copy == null ? new EmbeddedChannel(new Parser()) : copy;
    copy = parser;
    parser.writeInbound(bytes.retainedDuplicate());
    boolean clear = true;
    complete = false; // these bytes belong to a request, unless they turn out to end it
    for (Object part = parser.readInbound(); part != null; part = parser.readInbound()) {
      if (part instanceof HttpRequest request && request.method().name().equals("PRI")) {
        stop(); // HTTP/2 from here on, whose frames say how long they are
      } else if (part instanceof HttpRequest request) {
        complete = false;
        clear &= isClear(request);
      }
      if (part instanceof LastHttpContent) {
        arrived();
      }
      ReferenceCountUtil.release(part);
    }
    return clear;
  }

  private static boolean isClear(HttpRequest request) {
    List<String> encodings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    return request.decoderResult().isSuccess()
        && (encodings.isEmpty()
            || (encodings.size() == 1
                && encodings.get(0).equalsIgnoreCase("chunked")
                && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && !request.headers().contains(HttpHeaderNames.CONTENT_LENGTH)));
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    stop();
  }

  private void stop() {
    stopped = true;
    arrived();
    if (copy != null) {
      copy.finishAndReleaseAll();
      copy = null;
    }
  }

  private static final class Parser extends HttpRequestDecoder {
    Parser() {
      super(new HttpDecoderConfig().setMaxInitialLineLength(AmbiguousRequests.MAX_REQUEST_LINE));
    }

    /** Leaves the length where it is. */
    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {}
  }
}
