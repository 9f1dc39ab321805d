package dev.syncguard.firestore.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection over HTTP/2 ends if its client is gone, and stays if it only has nothing to say. */
class SilenceWatchTest {
  private static final byte PING = 6;
  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
  private static final byte[] PING_ANSWER = {0, 0, 8, PING, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

  private final EmbeddedChannel channel =
      new EmbeddedChannel(new SilenceWatch(Duration.ofSeconds(30)));

  @BeforeEach
  void stopTheClock() {
    channel.freezeTime();
  }

  private void connect() {
    channel.pipeline().addLast(Http2FrameCodecBuilder.forServer().build());
    channel.writeInbound(Http2CodecUtil.connectionPrefaceBuf());
    channel.writeInbound(Unpooled.wrappedBuffer(SETTINGS));
    pingsIn();
  }

  private int turn() {
    channel.advanceTimeBy(30, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    return pingsIn();
  }

  /** Returns how many pings the server has sent. */
  private int pingsIn() {
    int pings = 0;
    for (ByteBuf frame = channel.readOutbound(); frame != null; frame = channel.readOutbound()) {
      pings += frame.readableBytes() > 3 && frame.getByte(frame.readerIndex() + 3) == PING ? 1 : 0;
      frame.release();
    }
    return pings;
  }

  @Test
  void whoAnswersNoPingIsGone() {
    connect();
    assertThat(turn()).as("it has spoken within this turn").isZero();
    for (int ping = 0; ping < 3; ping++) {
      assertThat(turn()).isEqualTo(1);
      assertThat(channel.isOpen()).isTrue();
    }
    turn();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void whoAnswersStaysHoweverLongItHasNothingElseToSay() {
    connect();
    for (int i = 0; i < 100; i++) {
      if (turn() > 0) {
        channel.writeInbound(Unpooled.wrappedBuffer(PING_ANSWER));
      }
    }
    assertThat(channel.isOpen()).isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void aConnectionOverHttp1IsLeftAlone() {
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {'G'}));
    for (int i = 0; i < 10; i++) {
      assertThat(turn()).isZero();
    }
    assertThat(channel.isOpen()).isTrue();
    channel.finishAndReleaseAll();
  }
}
