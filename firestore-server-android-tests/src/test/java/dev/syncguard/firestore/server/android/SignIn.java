package dev.syncguard.firestore.server.android;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;

/** Signs everybody in under one name, with a token that nobody has signed, as the emulator for sign-ins does. */
final class SignIn implements AutoCloseable {
  private final HttpServer server;

  SignIn(String user) throws IOException {
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String token = base64.encodeToString("{\"alg\":\"none\",\"typ\":\"JWT\"}".getBytes(UTF_8))
        + "."
        + base64.encodeToString(
            ("{\"sub\":\"" + user + "\",\"user_id\":\"" + user + "\",\"iat\":1,\"exp\":4102444800}")
                .getBytes(UTF_8))
        + ".";
    byte[] answer = ("{\"localId\":\"" + user + "\",\"idToken\":\"" + token
            + "\",\"refreshToken\":\"r\",\"expiresIn\":\"3600\"}")
        .getBytes(UTF_8);
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
