package dev.syncguard.firestore.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.firestore.server.auth.Authorizer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** By which names the server is reached, and whose web pages may use it. */
class HostsAndOriginsTest {
  private static final Pattern CONTENT_LENGTH = Pattern.compile("(?i)content-length: (\\d+)");
  private static final String DOCUMENTS = "/v1/projects/p/databases/(default)/documents/c";

  @Test
  void aNameThatWasAllowedWorksAndOthersDoNot() throws Exception {
    try (FirestoreServer server = open()
        .address(InetAddress.getByName("0.0.0.0"))
        .allowHosts("firestore", "Host.Docker.Internal")
        .start()) {
      for (String host :
          new String[] {"firestore:8080", "firestore", "host.docker.internal:1", "10.0.2.2:80"}) {
        assertThat(get(server, host, "")).as(host).startsWith("HTTP/1.1 200");
      }
      assertThat(get(server, "evil.test", "")).startsWith("HTTP/1.1 403").contains("--allow-host");
      assertThat(get(server, "192.0.2.1", "")).startsWith("HTTP/1.1 403");
    }
  }

  @Test
  void theAddressThatARequestArrivesAtNeedsNoPermission() throws Exception {
    HostCheck check = new HostCheck(Set.of());
    InetAddress lan = InetAddress.getByName("192.168.1.5");
    assertThat(check.isOurs("192.168.1.5:8080", lan)).isTrue();
    assertThat(check.isOurs("192.168.1.6:8080", lan)).isFalse();
    assertThat(check.isOurs("192.168.1.5.evil.test", lan)).isFalse();
    assertThat(check.isOurs("[2001:db8::1]:80", InetAddress.getByName("2001:db8::1")))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://x", "a:80", "", "a b", "a/b"})
  void whatIsNoHostIsRefusedAtOnce(String host) {
    assertThatThrownBy(() -> FirestoreServer.builder().allowHosts(host))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"app.example", "https://app.example/", "*", ""})
  void whatIsNoOriginIsRefusedAtOnce(String origin) {
    assertThatThrownBy(() -> FirestoreServer.builder().allowOrigins(origin))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.test",
        "http://localhost.evil.test",
        "http://127.0.0.1.evil.test",
        "null",
        "http://10.0.0.1",
        "junk:::"
      })
  void aForeignPageMayDoNothing(String origin) throws Exception {
    try (FirestoreServer server = open().start()) {
      String header = "Origin: " + origin + "\r\n";
      String owner = header + "Authorization: Bearer owner\r\n";
      assertThat(get(server, "localhost", header)).startsWith("HTTP/1.1 403");
      assertThat(get(server, "localhost", owner))
          .startsWith("HTTP/1.1 403")
          .doesNotContainIgnoringCase("access-control-allow-origin")
          .contains("--allow-origin");
      String reset = send(server, "POST /reset", "localhost", header);
      assertThat(reset).startsWith("HTTP/1.1 403");
      String preflight = send(
          server,
          "OPTIONS " + DOCUMENTS,
          "localhost",
          header + "Access-Control-Request-Method: POST\r\n");
      assertThat(preflight)
          .startsWith("HTTP/1.1 403")
          .doesNotContainIgnoringCase("access-control-allow");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:5173",
        "https://localhost",
        "http://127.0.0.1:3000",
        "http://[::1]:3000",
        "http://app.localhost:80",
        "https://app.example:8443",
        "HTTPS://App.Example:8443"
      })
  void aTrustedPageMayUseCredentialsAndReadTheAnswer(String origin) throws Exception {
    try (FirestoreServer server =
        open().allowOrigins("https://app.example:8443").start()) {
      String answer =
          get(server, "localhost", "Origin: " + origin + "\r\nAuthorization: Bearer owner\r\n");
      assertThat(answer)
          .startsWith("HTTP/1.1 200")
          .containsIgnoringCase("access-control-allow-origin: " + origin + "\r\n")
          .containsIgnoringCase("access-control-allow-credentials: true")
          .containsIgnoringCase("access-control-expose-headers: ")
          .containsIgnoringCase("vary: origin");
      String preflight = send(
          server,
          "OPTIONS " + DOCUMENTS,
          "localhost",
          "Origin: " + origin + "\r\nAccess-Control-Request-Method: PATCH\r\n"
              + "Access-Control-Request-Headers: authorization,x-goog-api-client\r\n"
              + "Access-Control-Request-Private-Network: true\r\n");
      assertThat(preflight)
          .startsWith("HTTP/1.1 200")
          .containsIgnoringCase("access-control-allow-headers: authorization,x-goog-api-client")
          .containsIgnoringCase("access-control-allow-private-network: true")
          .contains("PATCH");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET, http://localhost:5173, true",
    "POST, http://localhost:5173, true",
    "PATCH, http://localhost:5173, true",
    "DELETE, http://localhost:5173, true",
    "GET, https://app.example, true",
    "DELETE, https://app.example, true",
    "GET, https://evil.test, false",
    "POST, https://evil.test, false",
    "PATCH, https://evil.test, false",
    "DELETE, https://evil.test, false",
    "POST, http://app.example, false",
    "POST, https://app.example:8443, false",
    "POST, https://app.example.evil.test, false",
    "POST, *, false"
  })
  void preflightsAreAnsweredForTrustedOriginsOnly(String method, String origin, boolean trusted)
      throws Exception {
    try (FirestoreServer server = open().allowOrigins("https://app.example").start()) {
      String asked = "Origin: " + origin + "\r\nAccess-Control-Request-Method: " + method
          + "\r\nAccess-Control-Request-Headers: authorization\r\n";
      String publicPage = asked + "Access-Control-Request-Private-Network: true\r\n";
      String plain = send(server, "OPTIONS " + DOCUMENTS, "localhost", asked);
      String inward = send(server, "OPTIONS " + DOCUMENTS, "localhost", publicPage);
      String real = send(server, "GET " + DOCUMENTS, "localhost", "Origin: " + origin + "\r\n");
      // With credentials a star would be worthless to honest pages, and a gift to all others.
      assertThat(plain + inward + real).doesNotContainIgnoringCase("allow-origin: *");
      if (trusted) {
        assertThat(header(plain, "access-control-allow-origin")).isEqualTo(origin);
        assertThat(header(plain, "access-control-allow-credentials")).isEqualTo("true");
        assertThat(header(plain, "access-control-allow-methods").split(", ")).contains(method);
        assertThat(header(plain, "access-control-allow-headers")).isEqualTo("authorization");
        assertThat(header(plain, "access-control-allow-private-network")).isEmpty();
        assertThat(header(inward, "access-control-allow-private-network")).isEqualTo("true");
        assertThat(header(real, "access-control-expose-headers")).contains("x-http-session-id");
      } else {
        assertThat(plain).startsWith("HTTP/1.1 403");
        assertThat(plain + inward + real).doesNotContainIgnoringCase("access-control-");
      }
    }
  }

  private static String header(String answer, String name) {
    return answer
        .lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ": "))
        .map(line -> line.substring(name.length() + 2))
        .findFirst()
        .orElse("");
  }

  private static FirestoreServerBuilder open() {
    return FirestoreServer.builder().authorizer(Authorizer.open());
  }

  private static String get(FirestoreServer server, String host, String headers)
      throws IOException {
    return send(server, "GET " + DOCUMENTS, host, headers);
  }

  private static String send(FirestoreServer server, String line, String host, String headers)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(30_000);
      socket
          .getOutputStream()
          .write((line + " HTTP/1.1\r\nHost: " + host + "\r\n" + headers
                  + "Content-Length: 0\r\nConnection: close\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      return answer(socket.getInputStream());
    }
  }

  /** Reads one answer. The server keeps the connection open for a while in case that the client is still sending. */
  private static String answer(InputStream from) throws IOException {
    StringBuilder answer = new StringBuilder();
    int end = -1;
    while (end < 0 || answer.length() < end) {
      int next = from.read();
      if (next < 0) {
        break;
      }
      answer.append((char) next);
      if (end < 0 && answer.toString().endsWith("\r\n\r\n")) {
        Matcher length = CONTENT_LENGTH.matcher(answer);
        end = answer.length() + (length.find() ? Integer.parseInt(length.group(1)) : 0);
      }
    }
    return answer.toString();
  }
}
