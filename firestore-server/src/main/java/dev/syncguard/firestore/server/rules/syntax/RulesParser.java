package dev.syncguard.firestore.server.rules.syntax;

import dev.syncguard.firestore.server.rules.syntax.FunctionDeclaration.Let;
import dev.syncguard.firestore.server.rules.syntax.RulesSource.Service;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the frame of a source: services, matches, functions and what is allowed. Used by one thread. */
final class RulesParser {
  private static final int MOST_LEVELS = 50;

  private final Tokens tokens;
  private final ExpressionParser expressions;
  private final PatternParser patterns;
  private int level;

  RulesParser(String source) {
    this.tokens = new Tokens(new Lexer(source));
    this.expressions = new ExpressionParser(tokens);
    this.patterns = new PatternParser(tokens);
  }

  RulesSource read() {
    int version = version();
    List<FunctionDeclaration> functions = new ArrayList<>();
    List<Service> services = new ArrayList<>();
    while (tokens.peek().kind() != Token.Kind.END) {
      if (tokens.peek().is("function")) {
        functions.add(function());
      } else if (tokens.peek().is("service")) {
        services.add(service());
      } else {
        throw tokens.error(
            "Expected 'service' or 'function', but found " + tokens.peek().shown() + ".");
      }
    }
    if (services.isEmpty()) {
      throw tokens.error("There is no service; write: service cloud.firestore { … }");
    }
    return new RulesSource(
        tokens.lexer().source(),
        version,
        List.copyOf(functions),
        List.copyOf(services),
        tokens.expressions());
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
    Site site = tokens.from(start);
    tokens.expect("{", "after the name of the service");
    List<FunctionDeclaration> functions = new ArrayList<>();
    List<MatchBlock> matches = new ArrayList<>();
    while (!tokens.takeIf("}")) {
      if (tokens.peek().is("match")) {
        matches.add(match());
      } else if (tokens.peek().is("function")) {
        functions.add(function());
      } else {
        throw tokens.error(
            "Expected 'match', 'function' or '}', but found " + tokens.peek().shown() + ".");
      }
    }
    return new Service(site, name.toString(), List.copyOf(functions), List.copyOf(matches));
  }

  private MatchBlock match() {
    if (++level > MOST_LEVELS) {
      throw tokens.error("Matches are nested too deeply.");
    }
    int start = tokens.take().start();
    List<PatternSegment> pattern = patterns.read();
    Site site = tokens.from(start);
    tokens.expect("{", "after the path of a match");
    List<AllowStatement> allows = new ArrayList<>();
    List<FunctionDeclaration> functions = new ArrayList<>();
    List<MatchBlock> matches = new ArrayList<>();
    while (!tokens.takeIf("}")) {
      if (tokens.peek().is("allow")) {
        allows.add(allow());
      } else if (tokens.peek().is("match")) {
        matches.add(match());
      } else if (tokens.peek().is("function")) {
        functions.add(function());
      } else {
        throw tokens.error("Expected 'allow', 'match', 'function' or '}', but found "
            + tokens.peek().shown() + ".");
      }
    }
    level--;
    return new MatchBlock(
        site, pattern, List.copyOf(allows), List.copyOf(functions), List.copyOf(matches));
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
    Site site = tokens.from(start);
    Optional<Expression> condition = Optional.empty();
    if (tokens.takeIf(":")) {
      tokens.expect("if", "before a condition");
      condition = Optional.of(expressions.read());
    }
    tokens.expect(";", "at the end of 'allow'");
    return new AllowStatement(site, methods, condition);
  }

  private FunctionDeclaration function() {
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
    Site site = tokens.from(start);
    tokens.expect("{", "before the body of a function");
    List<Let> lets = new ArrayList<>();
    while (tokens.peek().is("let")) {
      lets.add(let());
    }
    tokens.expect("return", "in a function");
    Expression result = expressions.read();
    tokens.takeIf(";");
    tokens.expect("}", "after the result of a function");
    return new FunctionDeclaration(site, name, List.copyOf(parameters), List.copyOf(lets), result);
  }

  private Let let() {
    int start = tokens.take().start();
    String name = tokens.name("a name after 'let'");
    Site site = tokens.from(start);
    tokens.expect("=", "after the name");
    Expression value = expressions.read();
    tokens.expect(";", "at the end of 'let'");
    return new Let(site, name, value);
  }
}
