package dev.syncguard.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who is let in. */
class GateTest {

  private static final String HOST = "127.0.0.1:7000";

  private final Console console =
      Console.builder().locks(new MemoryLockBackend(), "memory").build();
  private final String token = console.address("").replaceFirst(".*token=", "");
  private final String senderToken = console.telemetryAddress("http://h").getRawFragment();

  @AfterEach
  void close() {
    console.close();
  }

  @Test
  void theFilesOfThePageNeedNoTokenAndHoldNone() {
    for (String name : Assets.NAMES) {
      String path = name.equals("index.html") ? "/" : "/page/" + name;
      ConsoleResponse response = get(path, Map.of());
      assertThat(response.status()).as(name).isEqualTo(200);
      assertThat(new String(response.body(), UTF_8)).doesNotContain(token, senderToken);
    }
  }

  @Test
  void everythingElseNeedsTheToken() {
    for (String path : List.of(
        "/api/about", "/api/locks", "/api/timeline", "/api/firestore/v1/projects/p", "/any")) {
      assertThat(get(path, Map.of()).status()).as(path).isEqualTo(401);
      assertThat(get(path, bearer("")).status()).as(path).isEqualTo(401);
      assertThat(get(path, bearer(token.substring(1))).status()).as(path).isEqualTo(401);
      assertThat(get(path, bearer(senderToken)).status()).as(path).isEqualTo(401);
      assertThat(get(path + "?token=" + token, Map.of()).status()).as(path).isEqualTo(401);
    }
    assertThat(get("/api/locks", bearer(token)).status()).isEqualTo(200);
  }

  @Test
  void whoeverTellsMayDoNothingElse() {
    String batch = "{\"process\":\"a 1\",\"events\":[]}";
    assertThat(post("/telemetry", batch, bearer(senderToken)).status()).isEqualTo(200);
    assertThat(post("/telemetry", batch, bearer(token)).status()).isEqualTo(401);
    assertThat(post("/telemetry", "{\"process\":\"\"}", bearer(senderToken)).status())
        .isEqualTo(400);
    assertThat(post("/api/release", "{}", bearer(senderToken)).status()).isEqualTo(401);
  }

  @Test
  void whatIsToldLiesInTheLastHour() throws Exception {
    String key = "a".repeat(24);
    for (String at : List.of("9223372036854775807", "-9223372036854775808", "0", "1e300")) {
      String event = "{\"type\":\"ACQUIRE\",\"outcome\":\"OK\",\"at\":" + at + ",\"tookMs\":" + at
          + ",\"key\":\"" + key + "\",\"id\":\"" + "b".repeat(24) + "\"}";
      post("/telemetry", "{\"process\":\"a 1\",\"events\":[" + event + "]}", bearer(senderToken));
    }
    long now = System.currentTimeMillis();
    JsonNode holds = new ObjectMapper()
        .readTree(get("/api/key?hash=" + key, bearer(token)).body())
        .get("holds");
    assertThat(holds)
        .isNotEmpty()
        .allSatisfy(hold -> assertThat(hold.get("from").asLong()).isBetween(now - 3_700_000, now));
  }

  /** Whoever may not come in must not cost memory or a thread for as long as they care to send. */
  @Test
  void aStrangersBodyIsNotAwaited() throws Exception {
    try (ConsoleServer server = ConsoleServer.start(Console.builder().build(), 0);
        Socket socket = new Socket(
            InetAddress.getLoopbackAddress(), URI.create(server.address()).getPort())) {
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write("POST /api/hash HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000000\r\n\r\n{"
              .getBytes(UTF_8));
      assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
          .isEqualTo("HTTP/1.1 401");
    }
  }

  @Test
  void aNameThatAStrangerGaveToThisMachineIsRefused() {
    for (String host : List.of(
        "evil.example",
        "evil.example:7000",
        "127.0.0.1.evil.example",
        "",
        "localhost.evil.example:7000",
        "[::2]:7000",
        "127.0.0.1@evil.example")) {
      Map<String, String> headers = new HashMap<>(bearer(token));
      headers.put("host", host);
      assertThat(get("/api/locks", headers).status()).as(host).isEqualTo(403);
      assertThat(get("/", headers).status()).as(host).isEqualTo(403);
    }
    for (String host :
        List.of("127.0.0.1", "localhost:7000", "LOCALHOST:1", "[::1]:7000", "[::1]")) {
      Map<String, String> headers = new HashMap<>(bearer(token));
      headers.put("host", host);
      assertThat(get("/api/locks", headers).status()).as(host).isEqualTo(200);
    }
  }

  @Test
  void pagesOfOthersAreRefusedEvenWithTheToken() {
    for (String origin : List.of(
        "http://evil.example",
        "null",
        "http://127.0.0.1:7001",
        "http://localhost:7000",
        "https://evil.example")) {
      Map<String, String> headers = new HashMap<>(bearer(token));
      headers.put("origin", origin);
      assertThat(get("/api/locks", headers).status()).as(origin).isEqualTo(403);
    }
    for (String site : List.of("cross-site", "same-site")) {
      Map<String, String> headers = new HashMap<>(bearer(token));
      headers.put("sec-fetch-site", site);
      assertThat(get("/api/locks", headers).status()).as(site).isEqualTo(403);
    }
    Map<String, String> own = new HashMap<>(bearer(token));
    own.put("origin", "http://" + HOST);
    own.put("sec-fetch-site", "same-origin");
    assertThat(get("/api/locks", own).status()).isEqualTo(200);
  }

  @Test
  void everyAnswerForbidsFramesScriptsOfOthersAndReferrers() {
    for (ConsoleResponse response :
        List.of(get("/", Map.of()), get("/api/locks", Map.of()), get("/nothing", bearer(token)))) {
      assertThat(response.headers().get("content-security-policy"))
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe", "http:", "*");
      assertThat(response.headers())
          .containsEntry("referrer-policy", "no-referrer")
          .containsEntry("cache-control", "no-store")
          .containsEntry("x-content-type-options", "nosniff");
    }
  }

  @Test
  void tokensAreLongDifferentAndNotShown() {
    assertThat(token).hasSize(22).isNotEqualTo(senderToken);
    try (Console other = Console.builder().build()) {
      assertThat(other.address("")).doesNotContain(token);
    }
    assertThat(AccessToken.create(new java.security.SecureRandom()).toString())
        .isEqualTo("AccessToken[withheld]");
    assertThat(request("GET", "/api/locks", "", bearer(token)).toString()).doesNotContain(token);
  }

  private static Map<String, String> bearer(String token) {
    return Map.of("authorization", "Bearer " + token);
  }

  private ConsoleResponse get(String path, Map<String, String> headers) {
    return console.answer(request("GET", path, "", headers));
  }

  private ConsoleResponse post(String path, String body, Map<String, String> headers) {
    return console.answer(request("POST", path, body, headers));
  }

  private static ConsoleRequest request(
      String method, String url, String body, Map<String, String> headers) {
    Map<String, String> all = new HashMap<>(Map.of("host", HOST));
    all.putAll(headers);
    int mark = url.indexOf('?');
    return new ConsoleRequest(
        method,
        mark < 0 ? url : url.substring(0, mark),
        mark < 0 ? "" : url.substring(mark + 1),
        all,
        body.getBytes(UTF_8));
  }
}
