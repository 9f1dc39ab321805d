package dev.syncguard.firestore.server.rules.query;

import dev.syncguard.firestore.server.rules.value.Outcome;
import dev.syncguard.firestore.server.rules.value.RulesValue;
import dev.syncguard.firestore.server.rules.value.Unknown;

/** An id that differs from document to document, and is a string in each. */
public record UnknownId(String description) implements Unknown {
  @Override
  public Outcome isOfType(String word) {
    return RulesValue.of(word.equals("string"));
  }
}
