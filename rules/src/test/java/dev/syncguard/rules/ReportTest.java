package dev.syncguard.rules;

import static dev.syncguard.rules.ExpressionCorpusTest.REQUEST;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.RulesLookup;
import dev.syncguard.rules.report.Coverage;
import dev.syncguard.rules.report.Coverage.Covered;
import dev.syncguard.rules.report.CoverageHtml;
import dev.syncguard.rules.report.CoverageJson;
import dev.syncguard.rules.report.RulesExplanation;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportTest {

  private static final Rules RULES = RulesFile.compile("""
          rules_version = '2';
          service cloud.firestore {
            match /databases/{database}/documents/cities/{city} {
              function known() { let id = city; return id == 'paris' || id == '<rome>'; }
              allow get, update: if known() && city != 'oslo';
            }
          }
          """).rules().orElseThrow();

  private static Coverage coverage(String... cities) {
    Coverage coverage = new Coverage(RULES.source());
    for (String city : cities) {
      RULES.decide(
          RulesRequest.get("cities/" + city, Optional.empty()),
          LookupBudget.single(RulesLookup.EMPTY),
          coverage);
    }
    return coverage;
  }

  private static Covered covered(Coverage coverage, String text) {
    return coverage.report().stream()
        .flatMap(ReportTest::all)
        .filter(c -> c.expression().range().textIn(RULES.source().text()).equals(text))
        .findFirst()
        .orElseThrow();
  }

  private static java.util.stream.Stream<Covered> all(Covered covered) {
    return java.util.stream.Stream.concat(
        java.util.stream.Stream.of(covered), covered.children().stream().flatMap(ReportTest::all));
  }

  @Test
  void everyExpressionIsCountedByWhatItCameTo() {
    Coverage coverage = coverage("paris", "paris", "oslo");
    assertThat(CoverageHtml.title(covered(coverage, "id == 'paris'")))
        .isEqualTo("true ×2, false ×1");
    assertThat(CoverageHtml.title(covered(coverage, "id"))).isEqualTo("'paris' ×2, 'oslo' ×1");
    assertThat(CoverageHtml.title(covered(coverage, "id == '<rome>'"))).isEqualTo("false ×1");
    assertThat(CoverageHtml.title(covered(coverage("paris"), "id == '<rome>'")))
        .isEqualTo("never evaluated");
  }

  @Test
  void manyValuesOfAnExpressionAreNotAllKept() {
    String[] cities = new String[1_000];
    java.util.Arrays.setAll(cities, i -> "city" + i);
    Covered id = covered(coverage(cities), "id");
    assertThat(id.counts()).hasSizeLessThan(30);
    assertThat(id.counts().stream().mapToLong(Coverage.Count::times).sum()).isEqualTo(1_000);
  }

  @Test
  void theJsonHasTheShapeOfTheEmulators() throws Exception {
    JsonNode json = new ObjectMapper().readTree(CoverageJson.of(coverage("paris", "oslo")));
    assertThat(json.at("/rules/files/0/content").asText())
        .isEqualTo(RULES.source().text());
    JsonNode condition = json.at("/report/2");
    assertThat(condition.at("/sourcePosition/line").asInt()).isEqualTo(5);
    assertThat(condition.at("/values/0/count").asInt()).isEqualTo(1);
    assertThat(condition.at("/values").toString())
        .contains("{\"boolValue\":true}", "{\"boolValue\":false}");
    assertThat(condition.at("/children/0/children").isMissingNode()).isTrue();
  }

  @Test
  void thePageShowsTheWholeSourceAndEscapesIt() {
    String page = CoverageHtml.of(coverage("paris", "oslo"));
    String text = page.substring(page.indexOf("<pre>") + 5, page.indexOf("</pre>"))
        .replaceAll("<[^>]*>", "")
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    assertThat(text).isEqualTo(RULES.source().text());
    assertThat(page).contains("class=\"both\"", "class=\"never\"", "'&lt;rome&gt;'");
  }

  @Test
  void anExplanationHoldsTheStepsInsideOfFunctions() {
    RulesExplanation explanation =
        RulesExplanation.of(RULES, REQUEST, LookupBudget.single(RulesLookup.EMPTY));
    assertThat(explanation.decision().allowed()).isTrue();
    assertThat(explanation.steps()).hasSize(1);
    RulesExplanation.Step call = explanation.steps().get(0).steps().get(0);
    assertThat(call.expression().range().textIn(RULES.source().text())).isEqualTo("known()");
    assertThat(call.steps()).hasSize(2);
    assertThat(call.outcome().isTrue()).isTrue();
  }
}
