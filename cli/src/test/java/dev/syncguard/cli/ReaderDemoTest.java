package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReaderDemoTest {

  @RegisterExtension
  final RealProgram syncguard = new RealProgram();

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void itServesTheScriptAndSaysWhatIsEmulated() throws Exception {
    RealProgram.Running demo = syncguard.start("reader", "demo").awaitOutput("http://127.0.0.1:");
    String page = demo.out().trim();
    String laptop = page.replace("/demo", "");

    assertThat(get(page))
        .contains("LessWrong", "title=\"laptop\"", "title=\"phone\"", "are emulated");
    assertThat(get(laptop + "/")).contains("Emulated:", "the userscript manager", "/demo");
    assertThat(get(laptop + "/power-reader.user.js"))
        .startsWith("// ==UserScript==")
        .containsPattern("POWER_READER_ENDPOINT = \"http://[^\"]+/v1\"");

    assertThat(demo.awaitError("#token=").err())
        .contains("Console, for you alone: http://127.0.0.1:");

    RealProgram.kill("INT", demo.pid());
    assertThat(demo.answer().exitCode()).isZero();
  }

  private String get(String address) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
        .body();
  }
}
