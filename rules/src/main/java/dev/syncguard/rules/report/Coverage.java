package dev.syncguard.rules.report;

import dev.syncguard.rules.evaluation.Trace;
import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.syntax.RulesSource;
import dev.syncguard.rules.value.Display;
import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.Unknown;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what every expression of a source came to, over many decisions. Thread-safe. */
public final class Coverage implements Trace {
  /** Values that differ from request to request are not all worth remembering. */
  private static final int MOST_VALUES = 20;

  private static final Value OTHERS = new Value(Kind.VALUE, "other values");

  private final RulesSource source;
  private final List<Map<Value, LongAdder>> counts = new ArrayList<>();

  /** Creates a count for this source, with nothing evaluated yet. */
  public Coverage(RulesSource source) {
    this.source = source;
    for (int i = 0; i < source.expressions(); i++) {
      counts.add(new ConcurrentHashMap<>());
    }
  }

  /** What an expression came to, as far as it is worth telling apart. */
  public record Value(Kind kind, String text) {}

  /** The kinds of outcomes. */
  public enum Kind {
    /** {@code true} */
    TRUE,
    /** {@code false} */
    FALSE,
    /** Any other value. */
    VALUE,
    /** It depends on documents that a query could find, and cannot be known. */
    UNKNOWN,
    /** The evaluation failed. */
    ERROR
  }

  /** How often an expression came to something. */
  public record Count(Value value, long times) {}

  /** An expression and what it came to, the most frequent first; nothing if it was never evaluated. */
  public record Covered(Expression expression, List<Count> counts, List<Covered> children) {
    /** Returns whether any request got that far. */
    public boolean isEvaluated() {
      return !counts.isEmpty();
    }
  }

  /** Returns the source whose expressions are counted. */
  public RulesSource source() {
    return source;
  }

  @Override
  public void evaluated(Expression expression, Outcome outcome) {
    Map<Value, LongAdder> values = counts.get(expression.range().id());
    Value value = value(outcome);
    Value kept = values.size() < MOST_VALUES || values.containsKey(value) ? value : OTHERS;
    values.computeIfAbsent(kept, key -> new LongAdder()).increment();
  }

  private static Value value(Outcome outcome) {
    if (outcome instanceof Failure failure) {
      return new Value(Kind.ERROR, failure.message());
    } else if (outcome instanceof Unknown unknown) {
      return new Value(Kind.UNKNOWN, unknown.description());
    } else if (outcome == RulesValue.TRUE) {
      return new Value(Kind.TRUE, "true");
    }
    return outcome == RulesValue.FALSE
        ? new Value(Kind.FALSE, "false")
        : new Value(Kind.VALUE, Display.of(outcome));
  }

  /** Returns the conditions, lets and results of the source, in its order, with all that they are made of. */
  public List<Covered> report() {
    return Roots.of(source).stream().map(this::covered).toList();
  }

  private Covered covered(Expression expression) {
    List<Count> found = counts.get(expression.range().id()).entrySet().stream()
        .map(entry -> new Count(entry.getKey(), entry.getValue().sum()))
        .sorted(Comparator.comparingLong(Count::times)
            .reversed()
            .thenComparing(count -> count.value().text()))
        .toList();
    return new Covered(
        expression, found, expression.children().stream().map(this::covered).toList());
  }
}
