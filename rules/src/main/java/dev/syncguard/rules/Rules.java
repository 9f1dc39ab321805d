package dev.syncguard.rules;

import dev.syncguard.rules.evaluation.Evaluation;
import dev.syncguard.rules.evaluation.EvaluationLimit;
import dev.syncguard.rules.evaluation.Library;
import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.Scope;
import dev.syncguard.rules.evaluation.Trace;
import dev.syncguard.rules.query.Knowledge;
import dev.syncguard.rules.syntax.AllowStatement;
import dev.syncguard.rules.syntax.RulesSource;
import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compiled rules. The same request gets the same decision, always. Thread-safe. */
public final class Rules {
  private final RulesSource source;
  private final List<Guard> guards;
  private final Library library = new Library();

  Rules(RulesSource source) {
    this.source = source;
    this.guards = Guard.of(source);
  }

  /** Returns the source that these rules were compiled from. */
  public RulesSource source() {
    return source;
  }

  /** Decides one request. When several documents are written or read at once, each is decided with the same budget. */
  public Decision decide(RulesRequest request, LookupBudget lookups) {
    return decide(request, lookups, Trace.NONE);
  }

  /** Decides one request and shows every step to somebody. */
  public Decision decide(RulesRequest request, LookupBudget lookups, Trace trace) {
    lookups.nextOperation();
    if (request.query().isEmpty()) {
      return decide(request, Optional.empty(), lookups, trace);
    }
    Optional<List<Knowledge>> alternatives = Knowledge.of(request.query().get());
    if (alternatives.isEmpty() || alternatives.get().isEmpty()) {
      return new Decision(
          request.method(), List.of(), Optional.of("The query has too many or no alternatives"));
    }
    Decision decision = null;
    for (Knowledge knowledge : alternatives.get()) {
      decision = decide(request, Optional.of(knowledge), lookups, trace);
      if (!decision.allowed()) {
        return decision;
      }
    }
    return java.util.Objects.requireNonNull(decision);
  }

  private Decision decide(
      RulesRequest request, Optional<Knowledge> knowledge, LookupBudget lookups, Trace trace) {
    Evaluation evaluation = new Evaluation(library, request.database(), lookups, trace);
    Scope outermost = Scope.outermost(source.functions());
    outermost.define("request", RequestVariables.request(request));
    outermost.define("resource", RequestVariables.resource(request, knowledge));
    RequestPath path = RequestPath.of(request, knowledge);
    List<Decision.Attempt> attempts = new ArrayList<>();
    try {
      for (Guard guard : guards) {
        Optional<Scope> scope = guard.guards(request.method())
            ? guard.enter(path, outermost, source.version())
            : Optional.empty();
        if (scope.isEmpty()) {
          continue;
        }
        for (AllowStatement statement : guard.statements(request.method())) {
          Outcome outcome = outcome(statement, evaluation, scope.get());
          attempts.add(new Decision.Attempt(statement, outcome));
          if (outcome.isTrue()) {
            return new Decision(request.method(), attempts, Optional.empty());
          }
        }
      }
      return new Decision(request.method(), attempts, Optional.empty());
    } catch (EvaluationLimit limit) {
      return new Decision(request.method(), attempts, Optional.ofNullable(limit.getMessage()));
    }
  }

  private static Outcome outcome(AllowStatement statement, Evaluation evaluation, Scope scope) {
    if (statement.condition().isEmpty()) {
      return RulesValue.TRUE;
    }
    Outcome outcome = evaluation.value(statement.condition().get(), scope);
    return outcome instanceof RulesValue value && !(value instanceof RulesValue.BoolValue)
        ? Failure.because("A condition must be a bool.")
            .at(statement.decisiveRange().line(), statement.decisiveRange().column())
        : outcome;
  }
}
