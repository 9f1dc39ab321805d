package dev.syncguard.rules.syntax;

import dev.syncguard.rules.syntax.Expression.ListLiteral;
import dev.syncguard.rules.syntax.Expression.Literal;
import dev.syncguard.rules.syntax.Expression.MapLiteral;
import dev.syncguard.rules.syntax.Expression.Name;
import dev.syncguard.rules.syntax.Expression.PathLiteral;
import dev.syncguard.rules.syntax.Expression.PathPart;
import dev.syncguard.rules.syntax.Token.Kind;
import dev.syncguard.rules.value.RulesValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what operators stand between: names, literals, and expressions in brackets. Not thread-safe. */
final class OperandParser {
  private final Tokens tokens;
  private final ExpressionParser expressions;

  OperandParser(Tokens tokens, ExpressionParser expressions) {
    this.tokens = tokens;
    this.expressions = expressions;
  }

  Expression operand() {
    Token token = tokens.peek();
    return switch (token.kind()) {
      case INT -> literal(integer(token));
      case FLOAT -> literal(RulesValue.of(Double.parseDouble(token.text())));
      case STRING -> literal(RulesValue.of(token.text()));
      case BYTES -> literal(new RulesValue.BytesValue(token.bytes()));
      case WORD -> word(token);
      case SYMBOL, BROKEN, END -> bracketed(token);
    };
  }

  private Expression literal(RulesValue value) {
    int start = tokens.take().start();
    return new Literal(expressions.range(start), value);
  }

  private RulesValue integer(Token token) {
    // The smallest int is its own opposite, so behind a minus sign it may stand for both.
    if (token.text().equals("9223372036854775808")
        && tokens.lexer().charAt(token.start() - 1) == '-') {
      return RulesValue.of(Long.MIN_VALUE);
    }
    try {
      return RulesValue.of(Long.parseLong(token.text()));
    } catch (NumberFormatException e) {
      throw tokens.error("This number does not fit into 64 bits; write it with a fraction.");
    }
  }

  private Expression word(Token token) {
    return switch (token.text()) {
      case "true" -> literal(RulesValue.TRUE);
      case "false" -> literal(RulesValue.FALSE);
      case "null" -> literal(RulesValue.NULL);
      case "is", "in", "if", "let", "return", "allow", "match", "function" ->
        throw tokens.error("Expected an expression, but found '" + token.text() + "'.");
      default -> {
        tokens.take();
        yield new Name(expressions.range(token.start()), token.text());
      }
    };
  }

  private Expression bracketed(Token token) {
    if (token.is("/")) {
      return path();
    } else if (tokens.takeIf("(")) {
      Expression inner = expressions.conditional();
      tokens.expect(")", "after an expression");
      return inner;
    } else if (tokens.takeIf("[")) {
      List<Expression> elements = expressions.list("]");
      return new ListLiteral(expressions.range(token.start()), elements);
    } else if (tokens.takeIf("{")) {
      return map(token.start());
    }
    throw tokens.error("Expected an expression, but found " + token.shown() + ".");
  }

  private Expression map(int start) {
    List<String> keys = new ArrayList<>();
    List<Expression> values = new ArrayList<>();
    while (!tokens.peek().is("}")) {
      Token key = tokens.peek();
      if (key.kind() != Kind.STRING && key.kind() != Kind.WORD) {
        throw tokens.error("Expected the key of a map, but found " + key.shown() + ".");
      }
      if (keys.contains(key.text())) {
        throw tokens.error("The key " + key.shown() + " appears twice.");
      }
      keys.add(tokens.take().text());
      tokens.expect(":", "after the key of a map");
      values.add(expressions.conditional());
      if (!tokens.takeIf(",")) {
        break;
      }
    }
    tokens.expect("}", "or ','");
    return new MapLiteral(expressions.range(start), List.copyOf(keys), List.copyOf(values));
  }

  private Expression path() {
    Lexer lexer = tokens.lexer();
    int start = tokens.peek().start();
    int at = start;
    List<PathPart> parts = new ArrayList<>();
    while (lexer.charAt(at) == '/') {
      if (lexer.source().startsWith("$(", at + 1)) {
        tokens.moveTo(at + 3);
        Expression part = expressions.conditional();
        at = tokens.expect(")", "after an expression in a path").end();
        parts.add(new PathPart("", Optional.of(part)));
      } else {
        int end = segmentEnd(lexer, at + 1);
        if (end == at + 1) {
          throw lexer.error(at, at + 1, "A path needs a segment after each '/'.");
        }
        parts.add(new PathPart(lexer.source().substring(at + 1, end), Optional.empty()));
        at = end;
      }
    }
    tokens.moveTo(at);
    return new PathLiteral(expressions.range(start), List.copyOf(parts));
  }

  /** Returns where a written segment ends; only (default) may have brackets. */
  static int segmentEnd(Lexer lexer, int start) {
    String standard = "(default)";
    if (lexer.source().startsWith(standard, start)) {
      return start + standard.length();
    }
    int end = start;
    while (isSegmentPart(lexer.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isSegmentPart(char c) {
    return Lexer.isWordPart(c)
        || c == '-'
        || c == '.'
        || c == '~'
        || c == '%'
        || c == '@'
        || c > 127;
  }
}
