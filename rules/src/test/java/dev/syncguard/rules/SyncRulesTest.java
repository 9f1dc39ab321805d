package dev.syncguard.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.RulesLookup;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules that are deployed with the sync product, clause by clause. */
class SyncRulesTest {

  private static final Compilation COMPILATION = RulesFile.compile(SyncCase.source());

  static List<SyncCase> cases() {
    return SyncCase.all();
  }

  @Test
  void theyCompileWithoutAWarning() {
    assertThat(COMPILATION.problems()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  @Tag("PR-PERSIST-27")
  @Tag("PR-PERSIST-37")
  @Tag("PR-PERSIST-38")
  @Tag("PR-PERSIST-41")
  @Tag("PR-PERSIST-42")
  @Tag("PR-PERSIST-79")
  @Tag("T78")
  void everyCaseIsDecidedAsTheCorpusSays(SyncCase sync) {
    Decision decision = COMPILATION
        .rules()
        .orElseThrow()
        .decide(sync.request(), LookupBudget.single(RulesLookup.EMPTY));
    assertThat(decision.allowed())
        .as(sync + decision.message())
        .isEqualTo(sync.line().allowed());
  }

  @Test
  void theCorpusIsLargeAndSaysNothingTwice() {
    assertThat(cases()).hasSizeGreaterThan(150);
    assertThat(cases()).extracting(sync -> sync.line().inputs()).doesNotHaveDuplicates();
  }

  @Test
  void aFullEnvelopeStaysFarBelowTheLimitOfExpressions() {
    Set<Integer> evaluated = new TreeSet<>();
    AtomicInteger count = new AtomicInteger();
    SyncCase full = cases().stream()
        .filter(sync -> sync.line().reason().equals("both at once"))
        .findFirst()
        .orElseThrow();
    COMPILATION
        .rules()
        .orElseThrow()
        .decide(full.request(), LookupBudget.single(RulesLookup.EMPTY), (expression, outcome) -> {
          evaluated.add(expression.range().id());
          count.incrementAndGet();
        });
    assertThat(evaluated).isNotEmpty();
    assertThat(count.get()).isBetween(150, 500);
  }
}
