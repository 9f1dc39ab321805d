package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ConsoleTest {

  @RegisterExtension
  final RealProgram syncguard = new RealProgram();

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void itServesThePageOnLoopbackAndItsTokenIsPrintedOnce() throws Exception {
    RealProgram.Running console = syncguard.start("console").awaitOutput("#token=");
    String address = console.out().trim();
    String token = address.replaceFirst(".*#token=", "");
    String base = address.replaceFirst("/#.*", "");

    assertThat(base).startsWith("http://127.0.0.1:");
    assertThat(get(base + "/", "").body()).contains("SyncGuard").doesNotContain(token);
    assertThat(get(base + "/api/locks", "").statusCode()).isEqualTo(401);
    assertThat(get(base + "/api/locks", "wrong").statusCode()).isEqualTo(401);
    assertThat(get(base + "/api/locks", token).statusCode()).isEqualTo(200);

    // What runs beside it, and says so.
    for (int i = 0; i < 300 && !console.err().contains("Ctrl-C"); i++) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    String telemetry = console.err().replaceAll("(?s).*SYNCGUARD_TELEMETRY='([^']+)'.*", "$1");
    RealProgram telling = syncguard.with("SYNCGUARD_TELEMETRY", telemetry);
    String timeline = "";
    // What the console does not take within two seconds is dropped, as it may be on a busy machine.
    for (int i = 0; i < 20 && !timeline.contains("\"process\":\"syncguard "); i++) {
      assertThat(telling.run("run", "job", "--", "true").exitCode()).isZero();
      timeline = get(base + "/api/timeline", token).body();
    }
    assertThat(timeline).contains("\"told\":true", "\"process\":\"syncguard ", "RELEASED");

    RealProgram.kill("INT", console.pid());
    Answer answer = console.answer();
    assertThat(answer.exitCode()).isZero();
    assertThat(answer.out()).containsOnlyOnce(token);
    assertThat(answer.err()).doesNotContain(token);
  }

  @Test
  void aPortThatIsInUseIsSaidToBe() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(other.getLocalPort());
      Answer answer = syncguard.run("console", "--port", port);
      assertThat(answer.exitCode()).isEqualTo(2);
      assertThat(answer.err()).contains("Port " + port + " is in use").contains("try --port 0");
    }
  }

  private HttpResponse<String> get(String address, String token) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(address))
            .header("authorization", "Bearer " + token)
            .build(),
        BodyHandlers.ofString());
  }
}
