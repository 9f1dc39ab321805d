package dev.syncguard.lock.firestore;

import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.api.gax.retrying.RetrySettings;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import java.lang.reflect.Constructor;
import java.time.Duration;

/**
 * Google's client, and what we know of its connections.
 *
 * @param firestore the client
 * @param channels its channels, if the client is one of ours
 */
record FirestoreClient(Firestore firestore, Channels channels) {

  /** Returns a client of somebody else, whose channels we do not know. */
  static FirestoreClient of(Firestore firestore) {
    return new FirestoreClient(firestore, new Channels());
  }

  /** Returns a client of our own. */
  static FirestoreClient connect(FirestoreOptions.Builder settings) {
    FirestoreOptions options = settings.setRetrySettings(quickRetries()).build();
    if (!(options.getTransportChannelProvider() instanceof InstantiatingGrpcChannelProvider grpc)) {
      return of(options.getService());
    }
    Channels channels = new Channels();
    InstantiatingGrpcChannelProvider.Builder provider = grpc.toBuilder();
    var configurator = provider.getChannelConfigurator();
    InstantiatingGrpcChannelProvider remembering = provider
        .setChannelConfigurator(channel ->
            channels.remembering(configurator == null ? channel : configurator.apply(channel)))
        .build();
    return new FirestoreClient(with(options, remembering).getService(), channels);
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
