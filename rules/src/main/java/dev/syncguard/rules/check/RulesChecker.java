package dev.syncguard.rules.check;

import dev.syncguard.rules.evaluation.Library;
import dev.syncguard.rules.syntax.AllowStatement;
import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.syntax.FunctionDeclaration;
import dev.syncguard.rules.syntax.MatchBlock;
import dev.syncguard.rules.syntax.PatternSegment;
import dev.syncguard.rules.syntax.Problem;
import dev.syncguard.rules.syntax.RulesMethod;
import dev.syncguard.rules.syntax.RulesSource;
import dev.syncguard.rules.syntax.RulesSource.Service;
import dev.syncguard.rules.syntax.SourceRange;
import dev.syncguard.rules.value.RulesValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Goes through a whole source. Used by one thread, once. */
public final class RulesChecker {
  private static final int MOST_PARAMETERS = 7;
  private static final int MOST_LETS = 10;

  private final Library library = new Library();
  private final Problems problems = new Problems();
  private final CallGraph calls = new CallGraph();
  private final ExpressionChecker expressions = new ExpressionChecker(library, problems, calls);
  private final PatternChecker patterns;
  private final List<FunctionDeclaration> declared = new ArrayList<>();

  private RulesChecker(int version) {
    this.patterns = new PatternChecker(problems, version);
  }

  /** Returns all problems, in no particular order. */
  public static List<Problem> check(RulesSource source) {
    return new RulesChecker(source.version()).checked(source);
  }

  private List<Problem> checked(RulesSource source) {
    Names names = Names.outermost(Library.VARIABLES, source.functions());
    functions(source.functions(), names);
    source.services().forEach(service -> service(service, names));
    calls
        .recursive()
        .forEach(function -> problems.error(
            function.range(),
            "Function " + function.name() + " calls itself, which is not allowed."));
    declared.stream()
        .filter(function -> !calls.isCalled(function))
        .forEach(function ->
            problems.warn(function.range(), "Unused function: " + function.name() + "."));
    if (source.services().stream().noneMatch(s -> s.name().equals(RulesSource.FIRESTORE))) {
      problems.warn(
          source.services().get(0).range(),
          "Nothing here is for Firestore: there is no service " + RulesSource.FIRESTORE + ".");
    }
    return problems.all();
  }

  private void service(Service service, Names outer) {
    Names names = outer.inner(service.functions());
    functions(service.functions(), names);
    boolean firestore = service.name().equals(RulesSource.FIRESTORE);
    service.matches().forEach(match -> match(match, List.of(), names, firestore));
  }

  private void match(MatchBlock block, List<MatchBlock> around, Names outer, boolean firestore) {
    List<MatchBlock> chain = new ArrayList<>(around);
    chain.add(block);
    patterns.check(chain, firestore);
    Names names = outer.inner(block.functions());
    for (PatternSegment segment : block.pattern()) {
      PatternChecker.capture(segment).ifPresent(name -> define(names, name, block.range()));
    }
    functions(block.functions(), names);
    Set<RulesMethod> alwaysAllowed = new HashSet<>();
    for (AllowStatement allow : block.allows()) {
      allow(allow, names, alwaysAllowed);
    }
    block.matches().forEach(inner -> match(inner, chain, names, firestore));
  }

  private void allow(AllowStatement allow, Names names, Set<RulesMethod> alwaysAllowed) {
    allow.condition().ifPresent(condition -> expressions.check(condition, names));
    if (alwaysAllowed.containsAll(allow.methods())) {
      problems.warn(allow.range(), "Unreachable: a statement above always allows this.");
    }
    Optional<Expression> condition = allow.condition();
    boolean always = condition.isEmpty()
        || (condition.get() instanceof Expression.Literal literal
            && literal.value() == RulesValue.TRUE);
    if (always) {
      alwaysAllowed.addAll(allow.methods());
      String writes = allow.methods().stream()
          .filter(RulesMethod::isWrite)
          .map(RulesMethod::word)
          .sorted()
          .collect(Collectors.joining(", "));
      if (!writes.isEmpty()) {
        problems.warn(allow.range(), "The condition is always true: everybody may " + writes + ".");
      }
    }
  }

  private void functions(List<FunctionDeclaration> functions, Names names) {
    Set<String> seen = new HashSet<>();
    for (FunctionDeclaration function : functions) {
      if (!seen.add(function.name())) {
        problems.error(
            function.range(), "Function " + function.name() + " is declared twice in this block.");
      }
      function(function, names);
    }
  }

  private void function(FunctionDeclaration function, Names outer) {
    declared.add(function);
    if (library.isFunction(function.name()) || library.isLibrary(function.name())) {
      problems.warn(
          function.range(), "Function " + function.name() + " shadows the one of the language.");
    }
    if (function.parameters().size() > MOST_PARAMETERS) {
      problems.error(
          function.range(), "A function has at most " + MOST_PARAMETERS + " parameters.");
    }
    if (function.lets().size() > MOST_LETS) {
      problems.error(function.range(), "A function has at most " + MOST_LETS + " lets.");
    }
    Names names = outer.inner(List.of());
    for (String parameter : function.parameters()) {
      if (names.hasOwn(parameter)) {
        problems.error(function.range(), "Parameter " + parameter + " appears twice.");
      }
      define(names, parameter, function.range());
    }
    calls.within(function, () -> {
      for (FunctionDeclaration.Let let : function.lets()) {
        expressions.check(let.value(), names);
        if (names.hasOwn(let.name())) {
          problems.error(let.range(), "Variable " + let.name() + " is declared twice.");
        }
        define(names, let.name(), let.range());
      }
      expressions.check(function.result(), names);
    });
  }

  private void define(Names names, String variable, SourceRange range) {
    if (!names.hasOwn(variable) && (names.has(variable) || library.isLibrary(variable))) {
      problems.warn(range, "Variable " + variable + " shadows another one of that name.");
    }
    names.define(variable);
  }
}
