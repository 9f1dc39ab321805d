package dev.syncguard.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.RulesLookup;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every operator, method and function of the language comes to. */
class ExpressionCorpusTest {

  /** Ann, who is signed in, changes a city. */
  static final RulesRequest REQUEST = RulesRequest.write(
          "cities/paris",
          Optional.of(fields(Map.of("name", "Paris", "population", 2))),
          Optional.of(fields(Map.of("name", "Paris", "population", 3, "visits", 1))))
      .by(Optional.of(new RulesAuth(
          "ann",
          fields(Map.of(
              "email",
              "ann@example.com",
              "admin",
              true,
              "firebase",
              Map.of("sign_in_provider", "password"))))))
      .at(Instant.parse("2026-11-15T12:00:00Z"));

  private static final RulesLookup DATABASE = new RulesLookup() {
    @Override
    public Optional<MapValue> before(String path) {
      return path.equals("users/ann")
          ? Optional.of(fields(Map.of("role", "editor")))
          : Optional.empty();
    }

    @Override
    public Optional<MapValue> after(String path) {
      return switch (path) {
        case "users/ann" -> Optional.of(fields(Map.of("role", "owner")));
        case "users/carl" -> Optional.of(fields(Map.of()));
        case "cities/paris" -> REQUEST.after();
        default -> before(path);
      };
    }
  };

  static MapValue fields(Map<String, Object> json) {
    return (MapValue) RulesValues.ofJson(json);
  }

  static Rules rulesFor(String condition) {
    Compilation compilation = RulesFile.compile("rules_version = '2';\n"
        + "service cloud.firestore { match /databases/{database}/documents {\n"
        + "match /cities/{city} { allow read, write: if " + condition + "; } } }");
    assertThat(compilation.errors()).as(condition).isEmpty();
    return compilation.rules().orElseThrow();
  }

  static List<CorpusLine> cases() {
    return CorpusLine.read("expressions.txt", 1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void everyExpressionComesToWhatTheCorpusSays(CorpusLine line) {
    Decision decision = rulesFor(line.input(0)).decide(REQUEST, LookupBudget.single(DATABASE));
    assertThat(decision.allowed()).as(line + decision.message()).isEqualTo(line.allowed());
    assertThat(decision.limit()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void noExpressionIsTrueAndFalseAtOnce(CorpusLine line) {
    Decision opposite =
        rulesFor("!(" + line.input(0) + ")").decide(REQUEST, LookupBudget.single(DATABASE));
    assertThat(opposite.allowed() && line.allowed()).as(line.toString()).isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void theSameInAFunctionIsTheSame(CorpusLine line) {
    Compilation compilation = RulesFile.compile("rules_version = '2';\n"
        + "service cloud.firestore { match /databases/{database}/documents {\n"
        + "match /cities/{city} { function f() { let x = " + line.input(0)
        + "; return x; } allow read, write: if f(); } } }");
    Decision decision =
        compilation.rules().orElseThrow().decide(REQUEST, LookupBudget.single(DATABASE));
    assertThat(decision.allowed()).as(line + decision.message()).isEqualTo(line.allowed());
  }

  /** Without this, a corpus that is not found would pass. */
  @org.junit.jupiter.api.Test
  void theCorpusIsLarge() {
    assertThat(cases()).hasSizeGreaterThan(250);
    assertThat(RulesValue.TRUE.isTrue()).isTrue();
  }
}
