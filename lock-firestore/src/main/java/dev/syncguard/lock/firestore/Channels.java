package dev.syncguard.lock.firestore;

import io.grpc.ConnectivityState;
import io.grpc.ForwardingChannelBuilder2;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The channels that a client of ours has made: to be told when one breaks, and to let it connect again at once.
 *
 * <p>After an outage a channel of gRPC waits before it connects again, from a second up to two minutes, while the calls on it fail,
 * and listeners wait even longer; on a connection that died without a word it waits for as long as the kernel does, a quarter of
 * an hour. Nobody wants to wait that long for a lock. Of somebody else's client we know no channels. Thread-safe.
 */
final class Channels {

  private final Set<ManagedChannel> made = ConcurrentHashMap.newKeySet();
  private volatile Runnable onBreak = () -> {};

  /** Returns a builder that builds the same, and lets us know it. */
  ManagedChannelBuilder<?> remembering(ManagedChannelBuilder<?> channel) {
    return new RememberingBuilder(channel);
  }

  /** Runs this from now on whenever a connection breaks. It must not block. */
  void onBreak(Runnable listener) {
    onBreak = listener;
  }

  /** Returns whether there are any that we know. */
  boolean areKnown() {
    return !made.isEmpty();
  }

  /** Lets channels that wait connect at once. */
  void reconnect() {
    made.forEach(ManagedChannel::resetConnectBackoff);
  }

  /** Lets the next request open a new connection. Those under way may still be answered on the old one. */
  void replaceConnections() {
    made.forEach(ManagedChannel::enterIdle);
  }

  private void watch(ManagedChannel channel) {
    ConnectivityState before = channel.getState(false);
    if (before != ConnectivityState.SHUTDOWN) {
      channel.notifyWhenStateChanged(before, () -> {
        watch(channel);
        if (before == ConnectivityState.READY) {
          onBreak.run();
        }
      });
    }
  }

  private final class RememberingBuilder extends ForwardingChannelBuilder2<RememberingBuilder> {
    private final ManagedChannelBuilder<?> channel;

    RememberingBuilder(ManagedChannelBuilder<?> channel) {
      this.channel = channel;
    }

    @Override
    protected ManagedChannelBuilder<?> delegate() {
      return channel;
    }

    @Override
    public ManagedChannel build() {
      ManagedChannel built = channel.build();
      made.removeIf(ManagedChannel::isShutdown);
      made.add(built);
      watch(built);
      return built;
    }
  }
}
