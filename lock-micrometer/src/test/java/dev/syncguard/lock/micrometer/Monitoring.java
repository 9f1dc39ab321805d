package dev.syncguard.lock.micrometer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.Yaml;

/** The dashboard and the alerts that users copy. */
final class Monitoring {

  static final Path DIRECTORY = Path.of("monitoring");

  private Monitoring() {}

  /** Returns all expressions of the dashboard, with its variables filled in. */
  static List<String> dashboardExpressions() throws IOException {
    JsonNode dashboard =
        new ObjectMapper().readTree(Files.readString(DIRECTORY.resolve("dashboard.json")));
    return StreamSupport.stream(dashboard.get("panels").spliterator(), false)
        .flatMap(panel -> StreamSupport.stream(panel.get("targets").spliterator(), false))
        .map(target -> target.get("expr").asText())
        .map(expression -> expression.replace("$__rate_interval", "1m").replace("$backend", ".*"))
        .toList();
  }

  static List<String> alertExpressions() throws IOException {
    return rules().map(rule -> rule.get("expr").asText()).toList();
  }

  static List<String> alertNames() throws IOException {
    return rules().map(rule -> rule.get("alert").asText()).toList();
  }

  private static Stream<JsonNode> rules() throws IOException {
    Object yaml = new Yaml().load(Files.readString(DIRECTORY.resolve("alerts.yml")));
    JsonNode rules = new ObjectMapper().valueToTree(yaml).at("/groups/0/rules");
    return StreamSupport.stream(rules.spliterator(), false);
  }
}
