package dev.syncguard.sync.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.Http;
import dev.syncguard.sync.Http.Method;
import dev.syncguard.sync.Http.Reply;
import dev.syncguard.sync.Http.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JavaHttpTest {

  private final EngineThread thread = new EngineThread();
  private final Http http = new JavaHttp(thread);
  private ServerSocket server;

  /** Answers every request with its first line. */
  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Thread answering = new Thread(this::answer, "answering");
    answering.setDaemon(true);
    answering.start();
  }

  private void answer() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        byte[] buffer = new byte[10_000];
        int length = socket.getInputStream().read(buffer);
        String request = new String(buffer, 0, length, StandardCharsets.UTF_8);
        byte[] body = request.lines().findFirst().orElseThrow().getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 418 Teapot\r\nDate: Sun, 15 Nov 2026 23:00:00 GMT\r\n"
            + "Connection: close\r\nContent-Length: " + body.length + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(body);
        socket.getOutputStream().flush();
      } catch (IOException e) {
        // The test is over, or its client went away.
      }
    }
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    thread.close(10, TimeUnit.SECONDS);
  }

  private Reply send(Method method, String url, @Nullable String body, long timeoutMillis)
      throws Exception {
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    CompletableFuture<String> where = new CompletableFuture<>();
    http.send(new Request(method, url, body, timeoutMillis), answer -> {
      where.complete(Thread.currentThread().getName());
      reply.complete(answer);
    });
    assertThat(where.get(60, TimeUnit.SECONDS)).isEqualTo("syncguard-reader");
    return reply.get(60, TimeUnit.SECONDS);
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getLocalPort() + path;
  }

  @Test
  void whateverAServerSaysIsAnAnswer() throws Exception {
    assertThat(send(Method.POST, url("/%C3%A4?x=1"), "{}", 30_000))
        .isEqualTo(
            new Http.Answer(418, "POST /%C3%A4?x=1 HTTP/1.1", "Sun, 15 Nov 2026 23:00:00 GMT"));
    assertThat(send(Method.GET, url("/"), null, 30_000))
        .isInstanceOfSatisfying(
            Http.Answer.class, answer -> assertThat(answer.body()).startsWith("GET / "));
  }

  @Test
  void aServerThatIsNotThereIsToldFromOneThatIsSilent() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(send(Method.GET, "http://127.0.0.1:" + socket.getLocalPort() + "/", null, 200))
          .isEqualTo(new Http.Failure(Http.Cause.TIMEOUT));
      free = socket.getLocalPort();
    }
    assertThat(send(Method.GET, "http://127.0.0.1:" + free + "/", null, 30_000))
        .isEqualTo(new Http.Failure(Http.Cause.OFFLINE));
  }

  @Test
  void anAddressThatIsNoneIsRefused() throws Exception {
    assertThat(send(Method.GET, "http:// no address", null, 30_000))
        .isEqualTo(new Http.Failure(Http.Cause.REFUSED));
  }
}
