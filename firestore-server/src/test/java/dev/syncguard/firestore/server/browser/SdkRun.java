package dev.syncguard.firestore.server.browser;

import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** One version of the SDK in one way of listening, with a server of its own. */
final class SdkRun implements AutoCloseable {
  private static final String RULES = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /open/{rest=**} { allow read, write; }
          match /cities/{city} { allow read, write; }
          match /{path=**}/items/{item} { allow read; }
          match /users/{user} { allow read, write: if request.auth.uid == user; }
        }
      }
      """;

  private final String sdk;
  private final String polling;
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final FirestoreServer server;
  private final CuttingProxy proxy;

  /** @param polling {@code auto} or {@code forced} */
  SdkRun(String sdk, String polling) throws IOException {
    this.sdk = sdk;
    this.polling = polling;
    this.server = FirestoreServer.builder()
        .rules(RULES)
        .time(() -> Instant.now().plus(ahead.get()))
        .start();
    this.proxy = new CuttingProxy(server.port());
  }

  String name() {
    return "sdk-" + sdk + "-" + polling;
  }

  String url() {
    return "/page-" + sdk + ".html?run=" + name() + "&polling=" + polling + "&server="
        + proxy.address();
  }

  /** Does what a scenario wants to happen outside of its browser. */
  void obey(String order) throws IOException {
    switch (order) {
      case "cut" -> proxy.cut();
      case "two-hours" -> ahead.updateAndGet(time -> time.plusHours(2));
      default -> throw new IllegalArgumentException("Nobody knows how to " + order);
    }
  }

  @Override
  public void close() throws IOException {
    proxy.close();
    server.close();
  }
}
