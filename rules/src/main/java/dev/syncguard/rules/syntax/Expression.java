package dev.syncguard.rules.syntax;

import dev.syncguard.rules.value.RulesValue;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A piece of a condition that has an outcome of its own. */
public sealed interface Expression {
  /** Returns where it stands in the source. */
  SourceRange range();

  /** Returns the expressions that this one is made of, in the order of the source. */
  default List<Expression> children() {
    return List.of();
  }

  /** A value that is written out. */
  record Literal(SourceRange range, RulesValue value) implements Expression {}

  /** A variable: a capture, a parameter, a let, or one of the words that rules begin with. */
  record Name(SourceRange range, String name) implements Expression {}

  /** {@code object.name}. */
  record Member(SourceRange range, Expression object, String name) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(object);
    }
  }

  /** {@code object[index]}. */
  record Index(SourceRange range, Expression object, Expression index) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(object, index);
    }
  }

  /** {@code object[from:to]}. */
  record Slice(SourceRange range, Expression object, Expression from, Expression to)
      implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(object, from, to);
    }
  }

  /** {@code function(arguments)}. */
  record Call(SourceRange range, String function, List<Expression> arguments)
      implements Expression {
    @Override
    public List<Expression> children() {
      return arguments;
    }
  }

  /** {@code object.method(arguments)}, where the object may also be a library such as {@code math}. */
  record MethodCall(SourceRange range, Expression object, String method, List<Expression> arguments)
      implements Expression {
    @Override
    public List<Expression> children() {
      return Stream.concat(Stream.of(object), arguments.stream()).toList();
    }
  }

  /** {@code !operand}. */
  record Not(SourceRange range, Expression operand) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(operand);
    }
  }

  /** {@code -operand}. */
  record Negative(SourceRange range, Expression operand) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(operand);
    }
  }

  /** Two expressions and an operator between them. */
  record Binary(SourceRange range, BinaryOperator operator, Expression left, Expression right)
      implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(left, right);
    }
  }

  /** {@code operand is type}. */
  record TypeTest(SourceRange range, Expression operand, String type) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(operand);
    }
  }

  /** {@code condition ? then : otherwise}. */
  record Conditional(SourceRange range, Expression condition, Expression then, Expression otherwise)
      implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(condition, then, otherwise);
    }
  }

  /** {@code [elements]}. */
  record ListLiteral(SourceRange range, List<Expression> elements) implements Expression {
    @Override
    public List<Expression> children() {
      return elements;
    }
  }

  /** <code>{keys: values}</code>. */
  record MapLiteral(SourceRange range, List<String> keys, List<Expression> values)
      implements Expression {
    @Override
    public List<Expression> children() {
      return values;
    }
  }

  /** {@code /segment/$(expression)}. */
  record PathLiteral(SourceRange range, List<PathPart> parts) implements Expression {
    @Override
    public List<Expression> children() {
      return parts.stream().flatMap(part -> part.expression().stream()).toList();
    }
  }

  /** One segment of a path: the text that is written there, or an expression for it. */
  record PathPart(String text, Optional<Expression> expression) {}
}
