package dev.syncguard.firestore.server.http;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.auth.Authorizer;
import java.io.IOException;

/** A process with a server in it, which says where it listens and ends when its input does. */
public final class SmallServer {
  private SmallServer() {}

  public static void main(String[] arguments) throws IOException {
    try (FirestoreServer server =
        FirestoreServer.builder().authorizer(Authorizer.open()).start()) {
      System.out.println(server.emulatorHost());
      while (System.in.read() >= 0) {
        // Nobody says anything; what counts is the end.
      }
    }
  }
}
