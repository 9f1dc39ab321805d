package dev.syncguard.rules.query;

import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.Unknown;

/** An id that differs from document to document, and is a string in each. */
public record UnknownId(String description) implements Unknown {
  @Override
  public Outcome isOfType(String word) {
    return RulesValue.of(word.equals("string"));
  }
}
