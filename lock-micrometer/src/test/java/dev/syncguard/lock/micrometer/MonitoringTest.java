package dev.syncguard.lock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The dashboard and the alerts ask for what an application really tells Prometheus, and for all of it. */
@Timeout(60)
class MonitoringTest {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private String text = "";

  @BeforeEach
  void doEverythingOnce() {
    LockMeters meters = LockMeters.to(registry).clockOffset("firestore", () -> Duration.ZERO);
    BusyDay day = new BusyDay(meters::over, meters);
    day.requests();
    day.renewals();
    day.handOff();
    text = registry.scrape();
  }

  @Test
  void everyMetricAndLabelThatTheyNameExists() throws Exception {
    Scrape scrape = new Scrape(text);
    List<String> expressions = Stream.concat(
            Monitoring.dashboardExpressions().stream(), Monitoring.alertExpressions().stream())
        .toList();
    assertThat(expressions).hasSizeGreaterThan(20);
    assertThat(expressions)
        .allSatisfy(
            expression -> assertThat(scrape.missing(expression)).as(expression).isEmpty());
  }

  @Test
  void theDashboardShowsEveryMetric() throws Exception {
    String all = String.join("\n", Monitoring.dashboardExpressions());
    assertThat(new Scrape(text).names())
        .hasSize(10)
        .allSatisfy(name -> assertThat(all).contains(name));
  }

  @Test
  void everyAlertIsExplained() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "operating", "alerts.md"));
    assertThat(Monitoring.alertNames())
        .isNotEmpty()
        .allSatisfy(name -> assertThat(page).contains("## " + name + "\n"));
  }

  @Test
  void noKeyIsTold() {
    assertThat(text).doesNotContain("report").doesNotContain("account").doesNotContain("nightly");
  }
}
