package dev.syncguard.benchmarks.firestore;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.firestore.server.auth.Authorizer;

/** Servers that let everybody in. */
final class FirestoreServers {

  private FirestoreServers() {}

  static FirestoreServerBuilder open() {
    return FirestoreServer.builder().authorizer(Authorizer.open());
  }
}
