package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.RulesValue.MapValue;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The documents that the rules may look up for one request. Each costs once, however often it is asked for; whoever asks for
 * too many is denied. Not thread-safe.
 */
public final class LookupBudget {
  private static final int MOST_PER_OPERATION = 10;
  private static final int MOST_FOR_SEVERAL = 20;

  private final RulesLookup lookup;
  private final int most;
  private final Map<String, Optional<MapValue>> before = new HashMap<>();
  private final Map<String, Optional<MapValue>> after = new HashMap<>();
  private int spent;
  private int spentByOperation;

  private LookupBudget(RulesLookup lookup, int most) {
    this.lookup = lookup;
    this.most = most;
  }

  /** Returns the budget of a request for one document, or of a query. */
  public static LookupBudget single(RulesLookup lookup) {
    return new LookupBudget(lookup, MOST_PER_OPERATION);
  }

  /** Returns the budget of a request that reads or writes several documents, each of which is decided with it. */
  public static LookupBudget several(RulesLookup lookup) {
    return new LookupBudget(lookup, MOST_FOR_SEVERAL);
  }

  /** Returns a budget for the same documents of which nothing has been spent. */
  public LookupBudget again() {
    return new LookupBudget(lookup, most);
  }

  /** Begins the decision about one more document. */
  public void nextOperation() {
    spentByOperation = 0;
  }

  Optional<MapValue> before(String path) {
    Optional<MapValue> known = before.get(path);
    if (known == null) {
      spend();
      known = lookup.before(path);
      before.put(path, known);
    }
    return known;
  }

  Optional<MapValue> after(String path) {
    Optional<MapValue> known = after.get(path);
    if (known == null) {
      spend();
      known = lookup.after(path);
      after.put(path, known);
    }
    return known;
  }

  private void spend() {
    if (++spent > most || ++spentByOperation > MOST_PER_OPERATION) {
      throw new EvaluationLimit("Too many document access calls.");
    }
  }
}
