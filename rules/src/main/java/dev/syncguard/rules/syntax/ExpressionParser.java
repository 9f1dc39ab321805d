package dev.syncguard.rules.syntax;

import dev.syncguard.rules.syntax.Expression.Binary;
import dev.syncguard.rules.syntax.Expression.Call;
import dev.syncguard.rules.syntax.Expression.Conditional;
import dev.syncguard.rules.syntax.Expression.Index;
import dev.syncguard.rules.syntax.Expression.Literal;
import dev.syncguard.rules.syntax.Expression.Member;
import dev.syncguard.rules.syntax.Expression.MethodCall;
import dev.syncguard.rules.syntax.Expression.Name;
import dev.syncguard.rules.syntax.Expression.Negative;
import dev.syncguard.rules.syntax.Expression.Not;
import dev.syncguard.rules.syntax.Expression.Slice;
import dev.syncguard.rules.syntax.Expression.TypeTest;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads expressions, each operator binding as tightly as the language says. Not thread-safe. */
final class ExpressionParser {
  /** How deep brackets and signs may nest. More is no rule that somebody wrote, and would exhaust the stack. */
  private static final int MOST_LEVELS = 100;
  /** How long a chain of operators may be, each of which contains the one before. */
  private static final int MOST_DEPTH = 400;
  /** How large one expression may be: twice as large as any that can be evaluated. */
  private static final int MOST_EXPRESSIONS = 2_000;

  private final Tokens tokens;
  private int level;
  private int firstExpression;

  ExpressionParser(Tokens tokens) {
    this.tokens = tokens;
  }

  /** Reads a whole expression. */
  Expression read() {
    firstExpression = tokens.expressions();
    level = 0;
    Expression whole = conditional();
    if (isDeeperThan(MOST_DEPTH, whole)) {
      throw tokens.error("This expression has more than " + MOST_DEPTH + " parts in a row.");
    }
    return whole;
  }

  /** Looks without recursion, because this is what protects all that recurs. */
  private static boolean isDeeperThan(int most, Expression whole) {
    List<Expression> layer = List.of(whole);
    for (int depth = 0; depth < most; depth++) {
      layer = layer.stream().flatMap(part -> part.children().stream()).toList();
      if (layer.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  Expression conditional() {
    if (++level > MOST_LEVELS) {
      throw tokens.error("This is nested more than " + MOST_LEVELS + " levels deep.");
    }
    int start = tokens.peek().start();
    Expression condition = binary(0);
    if (tokens.takeIf("?")) {
      Expression then = conditional();
      tokens.expect(":", "between the two sides of a condition");
      Expression otherwise = conditional();
      condition = new Conditional(range(start), condition, then, otherwise);
    }
    level--;
    return condition;
  }

  private Expression binary(int binding) {
    int start = tokens.peek().start();
    Expression left = unary();
    while (true) {
      if (tokens.peek().is("is") && BinaryOperator.IS_BINDING > binding) {
        tokens.take();
        String type = type();
        left = new TypeTest(range(start), left, type);
        continue;
      }
      Optional<BinaryOperator> operator = BinaryOperator.of(tokens.peek());
      if (operator.isEmpty() || operator.get().binding() <= binding) {
        return left;
      }
      tokens.take();
      Expression right = binary(operator.get().binding());
      left = new Binary(range(start), operator.get(), left, right);
    }
  }

  private String type() {
    Token token = tokens.peek();
    if (token.kind() != Token.Kind.WORD || !ValueType.testable().contains(token.text())) {
      throw tokens.error("Expected a type after 'is', one of "
          + String.join(", ", ValueType.testable()) + ", but found " + token.shown() + ".");
    }
    return tokens.take().text();
  }

  private Expression unary() {
    int start = tokens.peek().start();
    if (!tokens.peek().is("!") && !tokens.peek().is("-")) {
      return postfix();
    }
    boolean not = tokens.take().is("!");
    if (++level > MOST_LEVELS) {
      throw tokens.error("This is nested more than " + MOST_LEVELS + " levels deep.");
    }
    Expression operand = unary();
    level--;
    if (!not && operand instanceof Literal literal && literal.range().start() == start + 1) {
      // The most negative int is written with a number that has no positive twin.
      if (literal.value() instanceof RulesValue.IntValue number) {
        return new Literal(range(start), RulesValue.of(-number.value()));
      }
    }
    return not ? new Not(range(start), operand) : new Negative(range(start), operand);
  }

  private Expression postfix() {
    int start = tokens.peek().start();
    Expression object = new OperandParser(tokens, this).operand();
    while (true) {
      if (tokens.takeIf(".")) {
        object = memberOrMethod(start, object);
      } else if (tokens.takeIf("[")) {
        object = indexOrSlice(start, object);
      } else if (tokens.peek().is("(") && object instanceof Name name) {
        tokens.take();
        List<Expression> arguments = list(")");
        object = new Call(range(start), name.name(), arguments);
      } else {
        return object;
      }
    }
  }

  private Expression memberOrMethod(int start, Expression object) {
    String name = tokens.name("a name after '.'");
    if (!tokens.takeIf("(")) {
      return new Member(range(start), object, name);
    }
    List<Expression> arguments = list(")");
    return new MethodCall(range(start), object, name, arguments);
  }

  private Expression indexOrSlice(int start, Expression object) {
    Expression index = conditional();
    if (tokens.takeIf(":")) {
      Expression to = conditional();
      tokens.expect("]", "after a range");
      return new Slice(range(start), object, index, to);
    }
    tokens.expect("]", "after an index");
    return new Index(range(start), object, index);
  }

  /** Reads expressions with commas between them, and the bracket behind them. */
  List<Expression> list(String close) {
    List<Expression> elements = new ArrayList<>();
    while (!tokens.peek().is(close)) {
      elements.add(conditional());
      if (!tokens.takeIf(",")) {
        break;
      }
    }
    tokens.expect(close, "or ','");
    return List.copyOf(elements);
  }

  SourceRange range(int start) {
    if (tokens.expressions() - firstExpression >= MOST_EXPRESSIONS) {
      throw tokens.error("This expression is too large; split it into functions.");
    }
    return tokens.expressionFrom(start);
  }
}
