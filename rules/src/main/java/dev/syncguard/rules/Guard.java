package dev.syncguard.rules;

import dev.syncguard.rules.evaluation.Scope;
import dev.syncguard.rules.syntax.AllowStatement;
import dev.syncguard.rules.syntax.FunctionDeclaration;
import dev.syncguard.rules.syntax.MatchBlock;
import dev.syncguard.rules.syntax.PatternSegment;
import dev.syncguard.rules.syntax.RulesMethod;
import dev.syncguard.rules.syntax.RulesSource;
import dev.syncguard.rules.syntax.RulesSource.Service;
import dev.syncguard.rules.value.Outcome;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** A match that allows something, together with all matches around it. Thread-safe. */
final class Guard {
  private final List<FunctionDeclaration> serviceFunctions;
  private final List<MatchBlock> chain;
  private final List<PatternSegment> pattern;

  private Guard(List<FunctionDeclaration> serviceFunctions, List<MatchBlock> chain) {
    this.serviceFunctions = serviceFunctions;
    this.chain = List.copyOf(chain);
    this.pattern = chain.stream().flatMap(block -> block.pattern().stream()).toList();
  }

  /** Returns the guards of Firestore, in the order of the source. */
  static List<Guard> of(RulesSource source) {
    List<Guard> guards = new ArrayList<>();
    for (Service service : source.services()) {
      if (service.name().equals(RulesSource.FIRESTORE)) {
        service.matches().forEach(match -> collect(service, new ArrayList<>(), match, guards));
      }
    }
    return List.copyOf(guards);
  }

  private static void collect(
      Service service, List<MatchBlock> around, MatchBlock block, List<Guard> guards) {
    around.add(block);
    if (!block.allows().isEmpty()) {
      guards.add(new Guard(service.functions(), around));
    }
    block.matches().forEach(inner -> collect(service, around, inner, guards));
    around.remove(around.size() - 1);
  }

  private MatchBlock innermost() {
    return chain.get(chain.size() - 1);
  }

  boolean guards(RulesMethod method) {
    return innermost().allows().stream().anyMatch(allow -> allow.methods().contains(method));
  }

  List<AllowStatement> statements(RulesMethod method) {
    return innermost().allows().stream()
        .filter(allow -> allow.methods().contains(method))
        .toList();
  }

  /** Returns the names that the conditions here can use, if the path is guarded by this. */
  Optional<Scope> enter(RequestPath path, Scope outermost, int version) {
    Optional<List<Outcome>> captures = PathMatcher.match(pattern, path, version);
    if (captures.isEmpty()) {
      return Optional.empty();
    }
    Iterator<Outcome> values = captures.get().iterator();
    Scope scope = outermost.inner(serviceFunctions);
    for (MatchBlock block : chain) {
      scope = scope.inner(block.functions());
      for (PatternSegment segment : block.pattern()) {
        if (segment instanceof PatternSegment.One one) {
          scope.define(one.name(), values.next());
        } else if (segment instanceof PatternSegment.Many many) {
          scope.define(many.name(), values.next());
        }
      }
    }
    return Optional.of(scope);
  }
}
