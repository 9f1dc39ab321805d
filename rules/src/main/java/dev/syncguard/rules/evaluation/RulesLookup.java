package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.RulesValue.MapValue;
import java.util.Optional;

/** Finds the documents that rules ask for with {@code get}, {@code exists} and their siblings. */
public interface RulesLookup {
  /** Finds nothing. */
  RulesLookup EMPTY = path -> Optional.empty();

  /** Returns the fields of a document before the request, by its path below the root, such as {@code users/ann}. */
  Optional<MapValue> before(String path);

  /** Returns the fields of a document as the whole request would leave it. */
  default Optional<MapValue> after(String path) {
    return before(path);
  }
}
