package dev.syncguard.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.RulesLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Makes every small fault in the rules that are deployed, and expects the corpus to notice. */
@Tag("slow")
class SyncRulesMutationTest {

  private static final List<SyncCase> CASES = SyncCase.all();

  /** Faults that no request can show, because something else denies the same. */
  private static final Map<String, String> WITHOUT_EFFECT = Map.of(
      "without the left side: expiresAt is timestamp && expiresAt > request.time -> (expiresAt > request.time)",
      "to compare anything else with a timestamp fails, which denies",
      "without the left side: fields is map"
          + " && fields.keys().hasOnly(['read', 'loadFrom', 'authorPrefs', 'aiStudioPrefix'])"
          + " -> (fields.keys().hasOnly(['read', 'loadFrom', 'authorPrefs', 'aiStudioPrefix']))",
      "only maps have keys(); to call it on anything else fails",
      "without the left side: value is string && value.size() <= 40 -> (value.size() <= 40)",
      "whatever else has a size neither equals a text nor has matches()",
      "without the left side: field is map && field.keys().hasAll(required) && field.keys().hasOnly(possible)"
          + " -> (field.keys().hasOnly(possible))",
      "only maps have keys(), and every required key is read further on, which fails if it is absent",
      "another operator: field is map && field.keys().hasAll(required)"
          + " -> ((field is map) || (field.keys().hasAll(required)))",
      "as above",
      "without the right side: field is map && field.keys().hasAll(required) -> (field is map)",
      "as above",
      "without the left side: field is map && field.keys().hasAll(required)"
          + " -> (field.keys().hasAll(required))",
      "as above",
      "another method: field.keys().hasAll(required) -> field.keys().hasAny(required)",
      "as above",
      "also LIST: allow get -> allow get, list",
      "a list asks for every document of a collection, and the rule of the operator's names one");

  private static Optional<SyncCase> killer(Rules rules) {
    return CASES.stream()
        .filter(sync ->
            rules.decide(sync.request(), LookupBudget.single(RulesLookup.EMPTY)).allowed()
                != sync.line().allowed())
        .findFirst();
  }

  @Test
  void everyFaultIsNoticedByACase() {
    List<String> survivors = new ArrayList<>();
    int killed = 0;
    for (Mutants.Mutant mutant : Mutants.of(SyncCase.source())) {
      Optional<Rules> rules = RulesFile.compile(mutant.source()).rules();
      assertThat(rules).as(mutant.change()).isPresent();
      if (killer(rules.orElseThrow()).isPresent()) {
        killed++;
      } else {
        survivors.add(mutant.change().replaceFirst("^L\\d+ ", ""));
      }
    }
    // Each of the exceptions must still exist, so that the list cannot excuse a fault that somebody
    // makes later.
    assertThat(survivors)
        .as("faults that no case notices")
        .containsExactlyInAnyOrderElementsOf(WITHOUT_EFFECT.keySet());
    assertThat(killed).isGreaterThan(200);
  }
}
