package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.console.Console;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockHash;
import dev.syncguard.lock.Locks;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The console on the actuator's port of a real application, with its web server. */
@Tag("slow")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@ExtendWith(OutputCaptureExtension.class)
class ConsoleMountTest {

  private static final String TOKEN = "0123456789abcdefghijkl-secret";

  private final HttpClient http = HttpClient.newHttpClient();

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {}

  private static ConfigurableApplicationContext start(String... settings) {
    return new SpringApplicationBuilder(Shop.class)
        .properties("syncguard.store=memory", "server.port=0")
        .properties(settings)
        .run();
  }

  private HttpResponse<String> get(String base, String path, String token) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(base + path))
            .header("authorization", "Bearer " + token)
            .build(),
        BodyHandlers.ofString());
  }

  private boolean lists(String console, String key) {
    try {
      return get(console, "/api/locks", TOKEN).body().contains(LockHash.of(key).hex());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static String port(ConfigurableApplicationContext application, String name) {
    return "http://127.0.0.1:"
        + application.getEnvironment().getProperty("local." + name + ".port");
  }

  @Test
  void itIsServedOnThePortOfTheActuatorAndNowhereElse(CapturedOutput output) throws Exception {
    try (ConfigurableApplicationContext application =
        start("management.server.port=0", "syncguard.console.token=" + TOKEN)) {
      String management = port(application, "management");
      String console = management + "/actuator/console";
      assertThat(get(management, "/actuator", "").statusCode()).isEqualTo(200);
      assertThat(get(console, "/", "").body()).contains("SyncGuard").doesNotContain(TOKEN);
      assertThat(get(console, "/page/app.js", "").headers().firstValue("content-type"))
          .hasValueSatisfying(type -> assertThat(type).startsWith("text/javascript"));
      assertThat(get(console, "/api/locks", "").statusCode()).isEqualTo(401);
      assertThat(get(console, "/api/locks", TOKEN + "x").statusCode()).isEqualTo(401);
      assertThat(get(port(application, "server"), "/actuator/console/", TOKEN).statusCode())
          .isEqualTo(404);

      try (Lease lease = application.getBean(Locks.class).lock("order:42").acquire()) {
        Eventually.holds(() -> lists(console, "order:42"));
        assertThat(get(console, "/api/locks", TOKEN).body()).doesNotContain("order:42");
        assertThat(lease.fence().value()).isPositive();
      }
      Eventually.holds(() -> !lists(console, "order:42"));
    }
    assertThat(output).doesNotContain(TOKEN);
  }

  @Test
  void changesArePushedThroughTheContainer() throws Exception {
    try (ConfigurableApplicationContext application =
        start("syncguard.console.token=" + TOKEN, "syncguard.console.path=/admin/locks")) {
      HttpRequest request = HttpRequest.newBuilder(
              URI.create(port(application, "server") + "/admin/locks/api/changes"))
          .header("authorization", "Bearer " + TOKEN)
          .build();
      var answer = http.send(request, BodyHandlers.ofInputStream());
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
        assertThat(lines.readLine()).contains("\"told\":[\"locks\",\"history\"]");
        var held = application.getBean(Locks.class).lock("order:42").acquire();
        String line = lines.readLine();
        while (!line.contains("\"locks\"")) {
          line = lines.readLine();
        }
        held.close();
      }
    }
  }

  @Test
  void withoutATokenThereIsNone() throws Exception {
    try (ConfigurableApplicationContext application = start()) {
      assertThat(application.getBeansOfType(Console.class)).isEmpty();
      assertThat(get(port(application, "server"), "/actuator/console/", "").statusCode())
          .isEqualTo(404);
    }
  }

  @Test
  void aTokenThatCouldBeGuessedIsRefusedAtStartAndNotShown(CapturedOutput output) {
    assertThatThrownBy(() -> start("syncguard.console.token=hunter2"))
        .hasRootCauseInstanceOf(IllegalArgumentException.class)
        .rootCause()
        .hasMessageContaining("openssl rand -hex 16");
    assertThat(output).doesNotContain("hunter2");
  }

  @Test
  void otherHostNamesAreRefusedUnlessTheyAreNamed() throws Exception {
    try (ConfigurableApplicationContext application = start(
        "syncguard.console.token=" + TOKEN,
        "syncguard.console.hosts=orders.internal,ops.example")) {
      int port = Integer.parseInt(
          String.valueOf(application.getEnvironment().getProperty("local.server.port")));
      assertThat(statusFor("evil.example", port)).contains(" 403");
      assertThat(statusFor("ops.example", port)).contains(" 200");
    }
  }

  /** Java's client does not let anybody choose the host. */
  private static String statusFor(String host, int port) throws Exception {
    try (var socket = new java.net.Socket(java.net.InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(("GET /actuator/console/api/about HTTP/1.1\r\nHost: " + host
                  + "\r\nAuthorization: Bearer " + TOKEN + "\r\nConnection: close\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }
  }
}
