package dev.syncguard.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;

/** Google's client, as tests use it. */
final class Clients {

  static final String PROJECT = "demo-benchmarks";
  static final String DATABASE = "projects/" + PROJECT + "/databases/(default)";

  private Clients() {}

  static Firestore connect(String emulatorHost) {
    return FirestoreOptions.newBuilder()
        .setProjectId(PROJECT)
        .setEmulatorHost(emulatorHost)
        .build()
        .getService();
  }

  static void close(Firestore client) {
    try {
      client.close();
    } catch (Exception e) {
      throw new IllegalStateException("The client could not be closed", e);
    }
  }
}
