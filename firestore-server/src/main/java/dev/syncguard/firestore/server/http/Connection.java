package dev.syncguard.firestore.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;

/** One connection, and what is known of its progress. Thread-safe. */
final class Connection {
  /** What would be lost if the connection were closed now, from the least to the most. */
  enum Worth {
    /** Nothing: it is idle, or what it asks for has not arrived. */
    NOTHING,
    /** An answer over REST, which is not there yet or is not taken. */
    ANSWER,
    /** Calls over gRPC, among which there may be listeners. */
    CALLS
  }

  private final Channel channel;
  private long lastProgress;
  private int answers;
  private int calls;

  Connection(Channel channel, long now) {
    this.channel = channel;
    this.lastProgress = now;
  }

  synchronized void arrived(boolean call, long now) {
    count(call, 1);
    lastProgress = now;
  }

  synchronized void answered(boolean call, long now) {
    count(call, -1);
    lastProgress = now;
  }

  private void count(boolean call, int change) {
    if (call) {
      calls += change;
    } else {
      answers += change;
    }
  }

  /** Returns when a request last arrived or was answered, or when the connection was made. */
  synchronized long lastProgress() {
    return lastProgress;
  }

  synchronized Worth worth() {
    return calls > 0 ? Worth.CALLS : answers > 0 ? Worth.ANSWER : Worth.NOTHING;
  }

  /** Closes it at once. Told from the other end, HTTP/2 would first wait for the client to say goodbye. */
  void close() {
    ChannelHandlerContext near = channel.pipeline().firstContext();
    if (near != null) { // Otherwise it is closed already.
      var unused = near.close();
    }
  }
}
