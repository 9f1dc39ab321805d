package dev.syncguard.rules.syntax;

import dev.syncguard.rules.syntax.FunctionDeclaration.Let;
import dev.syncguard.rules.syntax.RulesSource.Service;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the frame of a source: services, matches, functions and what is allowed. Not thread-safe. */
final class RulesParser {
  private static final int MOST_LEVELS = 50;
  private static final Set<String> BODY = Set.of("let", "return", "}");

  private final Tokens tokens;
  private final ExpressionParser expressions;
  private final PatternParser patterns;
  private final ErrorRecovery recovery;
  private int level;

  RulesParser(String source) {
    this.tokens = new Tokens(new Lexer(source));
    this.expressions = new ExpressionParser(tokens);
    this.patterns = new PatternParser(tokens);
    this.recovery = new ErrorRecovery(tokens);
  }

  /** Returns what can be read; if there are problems, that is not all. */
  RulesSource read() {
    int version = recovery.attempt(Set.of("service", "function"), this::version).orElse(1);
    List<FunctionDeclaration> functions = new ArrayList<>();
    List<Service> services = new ArrayList<>();
    recovery.attempt(Set.of(), () -> {
      Map<String, Runnable> readers =
          Map.of("service", () -> services.add(service()), "function", () -> function(functions));
      while (tokens.peek().kind() != Token.Kind.END) {
        statement("'service' or 'function'", readers, readers.keySet());
      }
      if (services.isEmpty()) {
        throw tokens.error("There is no service; write: service cloud.firestore { … }");
      }
      return services;
    });
    return new RulesSource(
        tokens.lexer().source(),
        version,
        List.copyOf(functions),
        List.copyOf(services),
        tokens.expressions());
  }

  List<Problem> problems() {
    return recovery.problems();
  }

  /** Reads statements up to the end of their block. */
  private void block(String expected, Map<String, Runnable> readers) {
    Set<String> next = new HashSet<>(readers.keySet());
    next.add("}");
    while (!tokens.takeIf("}")) {
      statement(expected, readers, next);
    }
  }

  private void statement(String expected, Map<String, Runnable> readers, Set<String> next) {
    Token token = tokens.peek();
    Runnable reader = token.kind() == Token.Kind.WORD ? readers.get(token.text()) : null;
    if (reader != null) {
      recovery.attempt(next, () -> {
        reader.run();
        return token;
      });
      return;
    }
    SyntaxError error = tokens.error("Expected " + expected + ", but found " + token.shown() + ".");
    if (token.kind() == Token.Kind.END) {
      throw error;
    }
    recovery.skip(error, next);
  }

  private int version() {
    if (!tokens.takeIf("rules_version")) {
      return 1;
    }
    tokens.expect("=", "after rules_version");
    Token version = tokens.peek();
    boolean known = version.kind() == Token.Kind.STRING
        && (version.text().equals("1") || version.text().equals("2"));
    if (!known) {
      throw tokens.error("The version of rules is '1' or '2'.");
    }
    tokens.take();
    tokens.takeIf(";");
    return Integer.parseInt(version.text());
  }

  private Service service() {
    int start = tokens.take().start();
    StringBuilder name = new StringBuilder(tokens.name("the name of a service"));
    while (tokens.takeIf(".")) {
      name.append('.').append(tokens.name("the name of a service"));
    }
    SourceRange range = tokens.from(start);
    tokens.expect("{", "after the name of the service");
    List<FunctionDeclaration> functions = new ArrayList<>();
    List<MatchBlock> matches = new ArrayList<>();
    block(
        "'match', 'function' or '}'",
        Map.of("match", () -> matches.add(match()), "function", () -> function(functions)));
    return new Service(range, name.toString(), List.copyOf(functions), List.copyOf(matches));
  }

  private MatchBlock match() {
    level++;
    try {
      return matchAtLevel();
    } finally {
      level--;
    }
  }

  private MatchBlock matchAtLevel() {
    if (level > MOST_LEVELS) {
      throw tokens.error("Matches are nested too deeply.");
    }
    int start = tokens.take().start();
    List<PatternSegment> pattern = patterns.read();
    SourceRange range = tokens.from(start);
    tokens.expect("{", "after the path of a match");
    List<AllowStatement> allows = new ArrayList<>();
    List<FunctionDeclaration> functions = new ArrayList<>();
    List<MatchBlock> matches = new ArrayList<>();
    block(
        "'allow', 'match', 'function' or '}'",
        Map.of(
            "allow", () -> allows.add(allow()),
            "match", () -> matches.add(match()),
            "function", () -> function(functions)));
    return new MatchBlock(
        range, pattern, List.copyOf(allows), List.copyOf(functions), List.copyOf(matches));
  }

  private AllowStatement allow() {
    int start = tokens.take().start();
    EnumSet<RulesMethod> methods = EnumSet.noneOf(RulesMethod.class);
    do {
      Set<RulesMethod> allowed = RulesMethod.allowedBy(tokens.peek().text());
      if (allowed == null) {
        throw tokens.error("Expected read, write, get, list, create, update or delete, but found "
            + tokens.peek().shown() + ".");
      }
      methods.addAll(allowed);
      tokens.take();
    } while (tokens.takeIf(","));
    SourceRange range = tokens.from(start);
    Optional<Expression> condition = Optional.empty();
    if (tokens.takeIf(":")) {
      tokens.expect("if", "before a condition");
      condition = Optional.of(expressions.read());
    }
    tokens.expect(";", "at the end of 'allow'");
    return new AllowStatement(range, methods, condition);
  }

  private void function(List<FunctionDeclaration> into) {
    int start = tokens.take().start();
    String name = tokens.name("the name of a function");
    tokens.expect("(", "after the name of a function");
    List<String> parameters = new ArrayList<>();
    while (!tokens.peek().is(")")) {
      parameters.add(tokens.name("a parameter"));
      if (!tokens.takeIf(",")) {
        break;
      }
    }
    tokens.expect(")", "after the parameters");
    SourceRange range = tokens.from(start);
    tokens.expect("{", "before the body of a function");
    List<Let> lets = new ArrayList<>();
    while (tokens.peek().is("let")) {
      recovery.attempt(BODY, this::let).ifPresent(lets::add);
    }
    Optional<Expression> result = recovery.attempt(Set.of("}"), this::result);
    tokens.expect("}", "after the result of a function");
    result.ifPresent(value -> into.add(
        new FunctionDeclaration(range, name, List.copyOf(parameters), List.copyOf(lets), value)));
  }

  private Expression result() {
    tokens.expect("return", "in a function");
    Expression result = expressions.read();
    tokens.takeIf(";");
    if (!tokens.peek().is("}")) {
      throw tokens.error("Expected '}' after the result of a function, but found "
          + tokens.peek().shown() + ".");
    }
    return result;
  }

  private Let let() {
    int start = tokens.take().start();
    String name = tokens.name("a name after 'let'");
    SourceRange range = tokens.from(start);
    tokens.expect("=", "after the name");
    Expression value = expressions.read();
    tokens.expect(";", "at the end of 'let'");
    return new Let(range, name, value);
  }
}
