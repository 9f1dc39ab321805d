package dev.syncguard.rules.report;

import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.syntax.FunctionDeclaration;
import dev.syncguard.rules.syntax.MatchBlock;
import dev.syncguard.rules.syntax.RulesSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds the expressions of a source that are no part of others. */
final class Roots {
  private final List<Expression> found = new ArrayList<>();

  private Roots() {}

  static List<Expression> of(RulesSource source) {
    Roots roots = new Roots();
    roots.functions(source.functions());
    source.services().forEach(service -> {
      roots.functions(service.functions());
      service.matches().forEach(roots::match);
    });
    roots.found.sort(Comparator.comparingInt(expression -> expression.range().start()));
    return roots.found;
  }

  private void match(MatchBlock block) {
    block.allows().forEach(allow -> allow.condition().ifPresent(found::add));
    functions(block.functions());
    block.matches().forEach(this::match);
  }

  private void functions(List<FunctionDeclaration> functions) {
    functions.forEach(function -> {
      function.lets().forEach(let -> found.add(let.value()));
      found.add(function.result());
    });
  }
}
