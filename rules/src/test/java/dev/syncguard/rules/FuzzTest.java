package dev.syncguard.rules;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.RulesLookup;
import dev.syncguard.rules.query.QueryFilter;
import dev.syncguard.rules.query.RulesQuery;
import dev.syncguard.rules.value.RulesValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random sources and requests: whatever they are, there is a decision, soon, and always the same. A failure names its seed;
 * {@code -Drules.fuzz.seed=N} repeats just that one, {@code -Drules.fuzz.runs=N} tries more.
 */
@Tag("slow")
class FuzzTest {

  private static final int RUNS = Integer.getInteger("rules.fuzz.runs", 3_000);
  private static final long FIRST = Long.getLong("rules.fuzz.seed", 20_261_115L);

  private static final String SYMBOLS = "{}()[]'\"\\/!=&|$.,;:*\n";

  private static void forEachSeed(java.util.function.LongConsumer run) {
    int runs = Long.getLong("rules.fuzz.seed") == null ? RUNS : 1;
    for (long seed = FIRST; seed < FIRST + runs; seed++) {
      long current = seed;
      try {
        assertTimeoutPreemptively(ofSeconds(60), () -> run.accept(current));
      } catch (Throwable e) {
        throw new AssertionError("Repeat with -Drules.fuzz.seed=" + seed, e);
      }
    }
  }

  @Test
  void everyConditionIsDecidedAndAlwaysInTheSameWay() {
    int[] verdicts = new int[2];
    forEachSeed(seed -> {
      Random random = new Random(seed);
      RandomExpressions expressions = new RandomExpressions(random);
      String condition = expressions.bool(4);
      Rules rules = ExpressionCorpusTest.rulesFor(condition);
      for (RulesRequest request : List.of(ExpressionCorpusTest.REQUEST, list(random))) {
        Decision decision = rules.decide(request, LookupBudget.single(RulesLookup.EMPTY));
        Decision again = ExpressionCorpusTest.rulesFor(condition)
            .decide(request, LookupBudget.single(RulesLookup.EMPTY));
        assertThat(again.message()).as(condition).isEqualTo(decision.message());
        verdicts[decision.allowed() ? 1 : 0]++;
      }
    });
    if (RUNS >= 3_000 && Long.getLong("rules.fuzz.seed") == null) {
      assertThat(verdicts[0]).as("denied").isGreaterThan(500);
      assertThat(verdicts[1]).as("allowed").isGreaterThan(300);
    }
  }

  /** What is proved for a query must hold for every document that the query finds. */
  @Test
  void whatAQueryIsAllowedToFindEachGetIsAllowedToRead() {
    int[] proved = new int[1];
    forEachSeed(seed -> {
      Random random = new Random(seed);
      String condition = new RandomExpressions(random).boolOf(List.of("x", "y", "t"), 3);
      Rules rules = ExpressionCorpusTest.rulesFor(condition);
      RulesRequest list = list(random);
      if (!rules.decide(list, LookupBudget.single(RulesLookup.EMPTY)).allowed()) {
        return;
      }
      QueryFilter filter = list.query().orElseThrow().where();
      for (Map<String, Object> fields : documents()) {
        RulesValue.MapValue document = ExpressionCorpusTest.fields(fields);
        if (Finding.finds(filter, document)) {
          proved[0]++;
          Decision get = rules.decide(
              RulesRequest.get("cities/paris", Optional.of(document)).at(Instant.EPOCH),
              LookupBudget.single(RulesLookup.EMPTY));
          assertThat(get.allowed())
              .as("%s lets the query %s find %s", condition, filter, fields)
              .isTrue();
        }
      }
    });
    if (RUNS >= 3_000 && Long.getLong("rules.fuzz.seed") == null) {
      assertThat(proved[0]).isGreaterThan(1_000);
    }
  }

  @Test
  void everyTextCompilesOrHasAProblemThatLiesInIt() {
    String valid = SyncCase.source();
    List<SyncCase> cases = SyncCase.all();
    forEachSeed(seed -> {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder(valid);
      for (int i = random.nextInt(4); i >= 0; i--) {
        damage(text, random);
      }
      Compilation compilation = RulesFile.compile(text.toString());
      List<String> lines = List.of(text.toString().split("\n", -1));
      compilation.problems().forEach(problem -> {
        assertThat(problem.line()).isBetween(1, lines.size());
        assertThat(problem.column()).isBetween(1, lines.get(problem.line() - 1).length() + 1);
      });
      compilation
          .rules()
          .ifPresent(rules -> cases.stream()
              .skip(random.nextInt(200))
              .limit(1)
              .forEach(
                  sync -> rules.decide(sync.request(), LookupBudget.single(RulesLookup.EMPTY))));
    });
  }

  private static void damage(StringBuilder text, Random random) {
    int at = random.nextInt(text.length());
    int length = Math.min(random.nextInt(12), text.length() - at);
    switch (random.nextInt(4)) {
      case 0 -> text.delete(at, at + length);
      case 1 -> text.insert(at, SYMBOLS.charAt(random.nextInt(SYMBOLS.length())));
      case 2 -> text.insert(at, text.substring(at, at + length));
      default -> text.setCharAt(at, (char) random.nextInt(0x250));
    }
  }

  private static RulesRequest list(Random random) {
    List<QueryFilter> filters = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      filters.add(filter(random));
    }
    QueryFilter where =
        random.nextInt(4) == 0 ? new QueryFilter.Any(filters) : new QueryFilter.All(filters);
    return RulesRequest.list(RulesQuery.of("cities").where(where));
  }

  private static QueryFilter filter(Random random) {
    List<QueryFilter.Operator> operators = List.of(QueryFilter.Operator.values());
    QueryFilter.Operator operator = operators.get(random.nextInt(operators.size()));
    boolean onArray = operator.name().startsWith("ARRAY");
    RulesValue value = scalar(random);
    boolean several = operator == QueryFilter.Operator.IN
        || operator == QueryFilter.Operator.NOT_IN
        || operator == QueryFilter.Operator.ARRAY_CONTAINS_ANY;
    return new QueryFilter.Field(
        List.of(onArray ? "t" : random.nextBoolean() ? "x" : "y"),
        operator,
        several ? RulesValue.list(List.of(value, scalar(random))) : value);
  }

  private static RulesValue scalar(Random random) {
    return random.nextInt(4) == 0
        ? RulesValue.of("ab".substring(0, 1 + random.nextInt(2)))
        : RulesValue.of(random.nextInt(4));
  }

  private static List<Map<String, Object>> documents() {
    List<Map<String, Object>> documents = new ArrayList<>();
    List<Object> values =
        List.of(0, 1, 2, 3, 1.5, 2.0, "a", "ab", true, List.of(1), Map.of("a", 1));
    for (Object x : values) {
      for (Object y : List.of(0, 2, "a", 2.5)) {
        documents.add(Map.of("x", x, "y", y, "t", List.of(x, y, "a")));
      }
      documents.add(Map.of("x", x));
      documents.add(Map.of("y", x, "t", List.of(1, 2)));
    }
    documents.add(Map.of());
    return documents;
  }
}
