package dev.syncguard.firestore.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads along on an HTTP/1 connection and marks it when the end of a request is in doubt. The web server behind it drops a
 * length that comes with chunks and goes on, so that nobody after it can tell; this runs the same parser over the same
 * bytes, and sees the headers as they were sent.
 */
final class FramingWatch extends ChannelInboundHandlerAdapter {
  private static final AttributeKey<Boolean> IN_DOUBT =
      AttributeKey.valueOf(FramingWatch.class, "IN_DOUBT");

  private @Nullable EmbeddedChannel copy = new EmbeddedChannel(new Parser());

  static boolean isInDoubt(Channel channel) {
    return channel.hasAttr(IN_DOUBT);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (copy != null && message instanceof ByteBuf bytes && !readAlong(copy, bytes)) {
      ctx.channel().attr(IN_DOUBT).set(true);
      stop();
    }
    ctx.fireChannelRead(message);
  }

  /** Returns whether it is clear so far where requests end. */
  private boolean readAlong(EmbeddedChannel parser, ByteBuf bytes) {
    parser.writeInbound(bytes.retainedDuplicate());
    boolean clear = true;
    for (Object part = parser.readInbound(); part != null; part = parser.readInbound()) {
      if (part instanceof HttpRequest request && request.method().name().equals("PRI")) {
        stop(); // HTTP/2 from here on, whose frames say how long they are
      } else if (part instanceof HttpRequest request) {
        clear &= isClear(request);
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
    if (copy != null) {
      copy.finishAndReleaseAll();
      copy = null;
    }
  }

  private static final class Parser extends HttpRequestDecoder {
    /** Leaves the length where it is. */
    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {}
  }
}
