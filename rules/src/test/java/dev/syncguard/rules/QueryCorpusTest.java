package dev.syncguard.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.RulesLookup;
import dev.syncguard.rules.query.QueryFilter;
import dev.syncguard.rules.query.RulesQuery;
import dev.syncguard.rules.value.RulesValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules are not filters: a query is allowed if whatever it could find is, and only then. */
class QueryCorpusTest {

  private static final RulesLookup DATABASE = path -> path.equals("users/ann")
      ? Optional.of(ExpressionCorpusTest.fields(Map.of()))
      : Optional.empty();

  private static Decision decide(Rules rules, RulesRequest request) {
    return rules.decide(
        request.by(Optional.of(RulesAuth.of("ann"))).at(Instant.parse("2026-11-15T12:00:00Z")),
        LookupBudget.single(DATABASE));
  }

  static List<CorpusLine> queries() {
    return CorpusLine.read("queries.txt", 2);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("queries")
  void aQueryIsAllowedIfItsFilterProvesTheCondition(CorpusLine line) {
    Decision decision = decide(
        ExpressionCorpusTest.rulesFor(line.input(0)),
        RulesRequest.list(QueryText.parse("cities", line.input(1))));
    assertThat(decision.allowed()).as(line + decision.message()).isEqualTo(line.allowed());
  }

  static List<CorpusLine> paths() {
    return CorpusLine.read("paths.txt", 2);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("paths")
  void aMatchCoversJustThePathsThatItSays(CorpusLine line) {
    String[] rule = line.input(0).split(" ", 2);
    Rules rules = RulesFile.compile("rules_version = '" + rule[0] + "';\n"
            + "service cloud.firestore { match /databases/{database}/documents {\n"
            + "match " + rule[1] + " { allow read; } } }")
        .rules()
        .orElseThrow();
    Decision decision = decide(rules, request(line.input(1)));
    assertThat(decision.allowed()).as(line + decision.message()).isEqualTo(line.allowed());
  }

  private static RulesRequest request(String text) {
    String[] words = text.split(" ", 2);
    if (words[0].equals("get")) {
      return RulesRequest.get(words[1], Optional.empty());
    }
    List<String> ids = new ArrayList<>(Arrays.asList(words[1].split("/", -1)));
    String collection = ids.remove(ids.size() - 1);
    return RulesRequest.list(new RulesQuery(
        ids,
        Optional.of(collection),
        words[0].equals("group"),
        new QueryFilter.All(List.of()),
        List.of(),
        OptionalLong.empty(),
        0));
  }

  @Test
  void aQueryWithTooManyAlternativesIsDenied() {
    List<QueryFilter> many = IntStream.range(0, 8)
        .<QueryFilter>mapToObj(i -> new QueryFilter.Field(
            List.of("f" + i),
            QueryFilter.Operator.IN,
            RulesValue.list(List.of(RulesValue.of(1), RulesValue.of(2)))))
        .toList();
    RulesQuery query = RulesQuery.of("cities").where(new QueryFilter.All(many));
    Decision decision = decide(ExpressionCorpusTest.rulesFor("true"), RulesRequest.list(query));
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.limit()).isPresent();
  }

  @Test
  void aDenialNamesWhatTheQueryLeavesOpen() {
    Decision decision = decide(
        ExpressionCorpusTest.rulesFor("resource.data.owner == 'ann'"),
        RulesRequest.list(RulesQuery.of("cities")));
    assertThat(decision.message())
        .isEqualTo("\nthe query leaves resource.data.owner open for 'list' @ L3");
  }

  @Test
  void theCorporaAreNotEmpty() {
    assertThat(queries()).hasSizeGreaterThan(80);
    assertThat(paths()).hasSizeGreaterThan(30);
  }
}
