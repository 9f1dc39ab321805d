package dev.syncguard.rules.syntax;

import dev.syncguard.rules.value.RulesValue;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A piece of a condition that has an outcome of its own. */
public sealed interface Expression {
  Site site();

  /** Returns the expressions that this one is made of, in the order of the source. */
  default List<Expression> children() {
    return List.of();
  }

  /** A value that is written out. */
  record Literal(Site site, RulesValue value) implements Expression {}

  /** A variable: a capture, a parameter, a let, or one of the words that rules begin with. */
  record Name(Site site, String name) implements Expression {}

  /** {@code object.name}. */
  record Member(Site site, Expression object, String name) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(object);
    }
  }

  /** {@code object[index]}. */
  record Index(Site site, Expression object, Expression index) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(object, index);
    }
  }

  /** {@code object[from:to]}. */
  record Slice(Site site, Expression object, Expression from, Expression to) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(object, from, to);
    }
  }

  /** {@code function(arguments)}. */
  record Call(Site site, String function, List<Expression> arguments) implements Expression {
    @Override
    public List<Expression> children() {
      return arguments;
    }
  }

  /** {@code object.method(arguments)}, where the object may also be a library such as {@code math}. */
  record MethodCall(Site site, Expression object, String method, List<Expression> arguments)
      implements Expression {
    @Override
    public List<Expression> children() {
      return Stream.concat(Stream.of(object), arguments.stream()).toList();
    }
  }

  /** {@code !operand}. */
  record Not(Site site, Expression operand) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(operand);
    }
  }

  /** {@code -operand}. */
  record Negative(Site site, Expression operand) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(operand);
    }
  }

  /** Two expressions and an operator between them. */
  record Binary(Site site, BinaryOperator operator, Expression left, Expression right)
      implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(left, right);
    }
  }

  /** {@code operand is type}. */
  record TypeTest(Site site, Expression operand, String type) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(operand);
    }
  }

  /** {@code condition ? then : otherwise}. */
  record Conditional(Site site, Expression condition, Expression then, Expression otherwise)
      implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(condition, then, otherwise);
    }
  }

  /** {@code [elements]}. */
  record ListLiteral(Site site, List<Expression> elements) implements Expression {
    @Override
    public List<Expression> children() {
      return elements;
    }
  }

  /** <code>{keys: values}</code>. */
  record MapLiteral(Site site, List<String> keys, List<Expression> values) implements Expression {
    @Override
    public List<Expression> children() {
      return values;
    }
  }

  /** {@code /segment/$(expression)}. */
  record PathLiteral(Site site, List<PathPart> parts) implements Expression {
    @Override
    public List<Expression> children() {
      return parts.stream().flatMap(part -> part.expression().stream()).toList();
    }
  }

  /** One segment of a path: the text that is written there, or an expression for it. */
  record PathPart(String text, Optional<Expression> expression) {}
}
