package dev.syncguard.lock.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus understands the dashboard and the alerts, and finds something to show in every panel. */
@Timeout(180)
class PrometheusIT {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  @TempDir
  Path directory;

  @Test
  void everyPanelShowsWhatHappened() throws Exception {
    LockMeters meters =
        LockMeters.to(registry).clockOffset("firestore", () -> Duration.ofMillis(700));
    BusyDay day = new BusyDay(meters::over, meters);
    day.requests();
    HttpServer application =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    application.createContext("/metrics", exchange -> {
      byte[] body = registry.scrape().getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    application.start();
    String target = "127.0.0.1:" + application.getAddress().getPort();
    try (Prometheus prometheus = Prometheus.scraping(target, directory)) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> !prometheus.query("syncguard_lock_held").isEmpty());
      // Rates need something to happen between two scrapes.
      day.requests();
      day.renewals();
      day.handOff();
      for (String expression : Monitoring.dashboardExpressions()) {
        await(expression)
            .atMost(Duration.ofSeconds(60))
            .until(() -> shows(prometheus.query(expression)));
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> !prometheus
              .query("ALERTS{alertname=\"SyncguardClockUnsafe\", alertstate=\"firing\"}")
              .isEmpty());
      assertThat(prometheus.rules())
          .hasSize(Monitoring.alertNames().size())
          .allSatisfy(rule -> assertThat(rule.get("health").asText()).isEqualTo("ok"));
    } finally {
      application.stop(0);
    }
  }

  private static boolean shows(JsonNode result) {
    for (JsonNode series : result) {
      if (!series.at("/value/1").asText().equals("NaN")) {
        return true;
      }
    }
    return false;
  }

  @Test
  void theAlertsPassTheirOwnTests() throws Exception {
    assertThat(promtool("check", "rules", "alerts.yml")).contains("SUCCESS");
    assertThat(promtool("test", "rules", "alerts-test.yml")).contains("SUCCESS");
  }

  private static String promtool(String... arguments) throws Exception {
    Process process = new ProcessBuilder(
            Stream.concat(Stream.of("promtool"), Arrays.stream(arguments)).toList())
        .directory(Monitoring.DIRECTORY.toFile())
        .redirectErrorStream(true)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
