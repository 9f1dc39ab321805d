package dev.syncguard.firestore.server.browser;

import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** One version of the SDK in one way of listening, with a server of its own. */
final class SdkRun implements AutoCloseable {
  static final String RULES = """
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

  /** What is done behind a proxy that buffers, where everything takes longer. */
  static final List<String> BUFFERED =
      List.of("listeners with local and remote changes", "how the server was heard");

  private final String sdk;
  private final String polling;
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final FirestoreServer server;
  private final Network network;

  /**
   * @param polling {@code auto}, {@code forced}, or {@code buffered}: as auto, behind a proxy that holds streams back until
   *     they end
   */
  SdkRun(String sdk, String polling) throws IOException {
    this.sdk = sdk;
    this.polling = polling;
    this.server = FirestoreServer.builder()
        .rules(RULES)
        .time(() -> Instant.now().plus(ahead.get()))
        .start();
    this.network =
        isBuffered() ? new BufferingProxy(server.port()) : new CuttingProxy(server.port());
  }

  String name() {
    return "sdk-" + sdk + "-" + polling;
  }

  boolean isBuffered() {
    return polling.equals("buffered");
  }

  String url() {
    return "/page-" + sdk + ".html?run=" + name() + "&polling=" + polling + "&server="
        + network.address()
        + (isBuffered() ? "&scenarios=" + encode(String.join(",", BUFFERED)) : "");
  }

  /** Does what a scenario wants to happen outside of its browser. */
  void obey(String order) throws IOException {
    switch (order) {
      case "cut" -> network.cut();
      case "two-hours" -> ahead.updateAndGet(time -> time.plusHours(2));
      default -> throw new IllegalArgumentException("Nobody knows how to " + order);
    }
  }

  @Override
  public void close() throws IOException {
    network.close();
    server.close();
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
