package dev.syncguard.firestore.server.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.ActiveRules;
import dev.syncguard.rules.Compilation;
import dev.syncguard.rules.RulesFile;
import dev.syncguard.rules.report.Coverage;
import dev.syncguard.rules.report.CoverageHtml;
import dev.syncguard.rules.report.CoverageJson;
import dev.syncguard.rules.report.ProblemText;
import dev.syncguard.rules.syntax.Problem;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules of a project: to replace them, and to see which of their expressions were used. Thread-safe. */
public final class RulesRoutes {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern PATH = Pattern.compile("projects/([^/:]+):(\\w+(?:\\.html)?)");

  private final ActiveRules active;

  /** Creates routes that replace these rules and report their coverage. */
  public RulesRoutes(ActiveRules active) {
    this.active = active;
  }

  /** Returns nothing for a path that is not of this kind. */
  Optional<HttpResponse> answer(HttpMethod method, String path, String body) {
    Matcher parts = PATH.matcher(path);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String project = parts.group(1);
    return switch (method + " " + parts.group(2)) {
      case "PUT securityRules" -> Optional.of(replace(project, body));
      case "GET ruleCoverage" -> Optional.of(json(CoverageJson.of(coverage(project))));
      case "GET ruleCoverage.html" ->
        Optional.of(HttpResponse.of(
            HttpStatus.OK, MediaType.HTML_UTF_8, CoverageHtml.of(coverage(project))));
      default -> Optional.empty();
    };
  }

  private Coverage coverage(String project) {
    return active
        .of(project)
        .map(ActiveRules.Loaded::coverage)
        .orElseThrow(() ->
            FirestoreServerException.notFound("No rules are loaded for project " + project + "."));
  }

  private HttpResponse replace(String project, String body) {
    JsonNode request = parse(body);
    JsonNode files = request.path("rules").path("files");
    if (files.size() != 1 || !files.path(0).path("content").isTextual()) {
      throw FirestoreServerException.invalid("The request must have one file with its content.");
    }
    String source = files.path(0).path("content").asText();
    Compilation compilation = RulesFile.compile(source);
    boolean lenient = request.path("ignoreErrors").asBoolean()
        || request.path("ignore_errors").asBoolean();
    if (compilation.rules().isEmpty() && !lenient) {
      String name = files.path(0).path("name").asText("rules");
      throw FirestoreServerException.invalid(
          "The rules do not compile.\n" + new ProblemText(name, source).of(compilation.errors()));
    }
    compilation.rules().ifPresent(rules -> active.replace(project, rules));
    return json(issues(files.path(0).path("name").asText("rules"), compilation.problems())
        .toString());
  }

  private static JsonNode parse(String body) {
    JsonGuard.check(body);
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw FirestoreServerException.invalid("Payload isn't valid for request.");
    }
  }

  /** Returns problems as the tools of Firebase read them; they stumble over one without a position. */
  private static ObjectNode issues(String file, List<Problem> problems) {
    ObjectNode answer = JSON.createObjectNode();
    if (!problems.isEmpty()) {
      ArrayNode issues = answer.putArray("issues");
      for (Problem problem : problems) {
        ObjectNode issue = issues.addObject();
        issue
            .putObject("sourcePosition")
            .put("fileName", file)
            .put("line", problem.line())
            .put("column", problem.column());
        issue
            .put("description", problem.message())
            .put("severity", problem.severity().name());
      }
    }
    return answer;
  }

  private static HttpResponse json(String text) {
    return HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, text + "\n");
  }
}
