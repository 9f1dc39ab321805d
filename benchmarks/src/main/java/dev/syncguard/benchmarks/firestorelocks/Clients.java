package dev.syncguard.benchmarks.firestorelocks;

import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.grpc.ClientInterceptor;

/** Google's client with the settings that it comes with, on a server of this machine. */
final class Clients {

  private static final String PROJECT = "demo-benchmarks";

  private Clients() {}

  static FirestoreOptions options(String emulatorHost) {
    return FirestoreOptions.newBuilder()
        .setProjectId(PROJECT)
        .setEmulatorHost(emulatorHost)
        .build();
  }

  static Firestore connect(String emulatorHost) {
    return options(emulatorHost).getService();
  }

  /** Connects alike, with somebody who sees every request. */
  static Firestore connect(String emulatorHost, ClientInterceptor observer) {
    return FirestoreOptions.newBuilder()
        .setProjectId(PROJECT)
        .setCredentials(new FirestoreOptions.EmulatorCredentials())
        .setChannelProvider(InstantiatingGrpcChannelProvider.newBuilder()
            .setEndpoint(emulatorHost)
            .setChannelConfigurator(channel -> channel.usePlaintext().intercept(observer))
            .build())
        .build()
        .getService();
  }
}
