package dev.syncguard.benchmarks.firestorelocks;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;

/** Google's client with the settings that it comes with, on a server of this machine. */
final class Clients {

  private Clients() {}

  static Firestore connect(String emulatorHost) {
    return FirestoreOptions.newBuilder()
        .setProjectId("demo-benchmarks")
        .setEmulatorHost(emulatorHost)
        .build()
        .getService();
  }
}
