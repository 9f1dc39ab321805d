package dev.syncguard.lock.firestore;

import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.api.gax.retrying.RetrySettings;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.grpc.ForwardingChannelBuilder2;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Google's client, and a way to let it connect again at once.
 *
 * <p>After an outage a channel of gRPC waits before it connects again, from a second up to two minutes, while the calls on it fail.
 * Nobody wants to wait that long for a lock.
 *
 * @param firestore the client
 * @param reconnect ends that wait, if the client is one of ours
 */
record FirestoreClient(Firestore firestore, Runnable reconnect) {

  /** Returns a client of somebody else, whose channels we do not know. */
  static FirestoreClient of(Firestore firestore) {
    return new FirestoreClient(firestore, () -> {});
  }

  /** Returns a client of our own. */
  static FirestoreClient connect(FirestoreOptions.Builder settings) {
    FirestoreOptions options = settings.setRetrySettings(quickRetries()).build();
    if (!(options.getTransportChannelProvider() instanceof InstantiatingGrpcChannelProvider grpc)) {
      return of(options.getService());
    }
    Set<ManagedChannel> channels = ConcurrentHashMap.newKeySet();
    InstantiatingGrpcChannelProvider.Builder provider = grpc.toBuilder();
    var configurator = provider.getChannelConfigurator();
    InstantiatingGrpcChannelProvider remembering = provider
        .setChannelConfigurator(channel -> new RememberingBuilder(
            configurator == null ? channel : configurator.apply(channel), channels))
        .build();
    return new FirestoreClient(with(options, remembering).getService(), () -> reconnect(channels));
  }

  private static void reconnect(Set<ManagedChannel> channels) {
    channels.removeIf(ManagedChannel::isShutdown);
    channels.forEach(ManagedChannel::resetConnectBackoff);
  }

  private static FirestoreOptions with(
      FirestoreOptions options, InstantiatingGrpcChannelProvider channels) {
    FirestoreOptions.Builder builder = options.toBuilder().setChannelProvider(channels);
    if (options.getEmulatorHost() == null) {
      return builder.build();
    }
    // For a local server, build() would put a provider of its own in the place of ours.
    try {
      Constructor<FirestoreOptions> constructor =
          FirestoreOptions.class.getDeclaredConstructor(FirestoreOptions.Builder.class);
      constructor.setAccessible(true);
      return constructor.newInstance(builder);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return options;
    }
  }

  private static final class RememberingBuilder
      extends ForwardingChannelBuilder2<RememberingBuilder> {
    private final ManagedChannelBuilder<?> channel;
    private final Set<ManagedChannel> built;

    RememberingBuilder(ManagedChannelBuilder<?> channel, Set<ManagedChannel> built) {
      this.channel = channel;
      this.built = built;
    }

    @Override
    protected ManagedChannelBuilder<?> delegate() {
      return channel;
    }

    @Override
    public ManagedChannel build() {
      ManagedChannel made = channel.build();
      built.add(made);
      return made;
    }
  }

  /**
   * A connection that was cut is opened again by the second try. Whoever waits for a lock goes on asking by themselves, and
   * wants to know why there is no answer.
   */
  private static RetrySettings quickRetries() {
    return RetrySettings.newBuilder()
        .setMaxAttempts(3)
        .setInitialRetryDelayDuration(Duration.ofMillis(20))
        .setRetryDelayMultiplier(2)
        .setMaxRetryDelayDuration(Duration.ofMillis(100))
        .setInitialRpcTimeoutDuration(Duration.ofSeconds(10))
        .setRpcTimeoutMultiplier(1)
        .setMaxRpcTimeoutDuration(Duration.ofSeconds(10))
        .setTotalTimeoutDuration(Duration.ofSeconds(10))
        .build();
  }
}
