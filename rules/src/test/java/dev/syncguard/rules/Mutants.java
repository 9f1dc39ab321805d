package dev.syncguard.rules;

import dev.syncguard.rules.syntax.AllowStatement;
import dev.syncguard.rules.syntax.BinaryOperator;
import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.syntax.Expression.Binary;
import dev.syncguard.rules.syntax.Expression.Call;
import dev.syncguard.rules.syntax.Expression.ListLiteral;
import dev.syncguard.rules.syntax.Expression.Literal;
import dev.syncguard.rules.syntax.Expression.MethodCall;
import dev.syncguard.rules.syntax.Expression.Not;
import dev.syncguard.rules.syntax.Expression.TypeTest;
import dev.syncguard.rules.syntax.FunctionDeclaration;
import dev.syncguard.rules.syntax.MatchBlock;
import dev.syncguard.rules.syntax.PatternSegment;
import dev.syncguard.rules.syntax.RulesMethod;
import dev.syncguard.rules.syntax.SourceRange;
import dev.syncguard.rules.syntax.SourceReader;
import dev.syncguard.rules.value.RulesValue.IntValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** All small faults that somebody could make in a source of rules: each one gives another source. */
final class Mutants {

  /** A source with one fault, and what was done to it. */
  record Mutant(String change, String source) {}

  private static final Map<BinaryOperator, List<BinaryOperator>> FLIPS = Map.of(
      BinaryOperator.AND, List.of(BinaryOperator.OR),
      BinaryOperator.OR, List.of(BinaryOperator.AND),
      BinaryOperator.EQUAL, List.of(BinaryOperator.NOT_EQUAL),
      BinaryOperator.NOT_EQUAL, List.of(BinaryOperator.EQUAL),
      BinaryOperator.LESS, List.of(BinaryOperator.LESS_OR_EQUAL, BinaryOperator.GREATER),
      BinaryOperator.LESS_OR_EQUAL, List.of(BinaryOperator.LESS, BinaryOperator.GREATER_OR_EQUAL),
      BinaryOperator.GREATER, List.of(BinaryOperator.GREATER_OR_EQUAL, BinaryOperator.LESS),
      BinaryOperator.GREATER_OR_EQUAL,
          List.of(BinaryOperator.GREATER, BinaryOperator.LESS_OR_EQUAL),
      BinaryOperator.PLUS, List.of(BinaryOperator.MINUS));

  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private final String source;
  private final List<Mutant> mutants = new ArrayList<>();

  private Mutants(String source) {
    this.source = source;
  }

  static List<Mutant> of(String source) {
    Mutants all = new Mutants(source);
    var read = ((SourceReader.Parsed) SourceReader.read(source)).source();
    read.services().forEach(service -> service.matches().forEach(all::match));
    return all.mutants;
  }

  private void match(MatchBlock block) {
    String path = block.range().textIn(source);
    for (PatternSegment segment : block.pattern()) {
      if (segment instanceof PatternSegment.Exactly exactly) {
        replace(
            block.range(),
            path.replace("/" + exactly.text(), "/" + exactly.text() + "x"),
            "another segment");
      }
    }
    block.allows().forEach(this::allow);
    block.functions().forEach(this::function);
    block.matches().forEach(this::match);
  }

  private void allow(AllowStatement allow) {
    Expression condition = allow.condition().orElseThrow();
    replace(condition.range(), "true", "always");
    replace(condition.range(), "!(" + text(condition) + ")", "the opposite");
    if (allow.methods().size() > 1) {
      for (RulesMethod dropped : allow.methods()) {
        String rest = allow.methods().stream()
            .filter(method -> method != dropped)
            .map(RulesMethod::word)
            .collect(Collectors.joining(", "));
        replace(allow.range(), "allow " + rest, "without " + dropped.word());
      }
    }
    // To allow more under a condition that never holds changes nothing; nor does it under one that
    // asks about
    // request.resource, which only a create and an update have.
    boolean matters =
        !text(condition).equals("false") && !text(condition).contains("request.resource");
    for (RulesMethod added : RulesMethod.values()) {
      if (matters && !allow.methods().contains(added)) {
        replace(allow.range(), allow.range().textIn(source) + ", " + added.word(), "also " + added);
      }
    }
    expression(condition);
  }

  private void function(FunctionDeclaration function) {
    function.lets().forEach(let -> expression(let.value()));
    expression(function.result());
  }

  private void expression(Expression expression) {
    if (expression instanceof Binary binary) {
      binary(binary);
    } else if (expression instanceof Not not) {
      replace(not.range(), "(" + text(not.operand()) + ")", "without !");
    } else if (expression instanceof TypeTest test) {
      replace(test.range(), "(" + text(test.operand()) + ") is bool", "another type");
    } else if (expression instanceof Literal literal) {
      literal(literal);
    } else if (expression instanceof ListLiteral list) {
      dropEach(list.elements(), list.range(), "[", "]");
    } else if (expression instanceof MethodCall call) {
      method(call);
    } else if (expression instanceof Call call) {
      replace(call.range(), "!" + text(call), "the opposite");
    }
    expression.children().forEach(this::expression);
  }

  private void binary(Binary binary) {
    String left = "(" + text(binary.left()) + ")";
    String right = "(" + text(binary.right()) + ")";
    for (BinaryOperator flipped : FLIPS.getOrDefault(binary.operator(), List.of())) {
      replace(
          binary.range(),
          "(" + left + " " + flipped.symbol() + " " + right + ")",
          "another operator");
    }
    if (binary.operator() == BinaryOperator.AND || binary.operator() == BinaryOperator.OR) {
      replace(binary.range(), left, "without the right side");
      replace(binary.range(), right, "without the left side");
    }
  }

  private void literal(Literal literal) {
    if (literal.value() instanceof IntValue number) {
      replace(literal.range(), Long.toString(number.value() + 1), "one more");
      replace(literal.range(), "(" + (number.value() - 1) + ")", "one less");
    } else if (literal.value() instanceof StringValue) {
      String text = text(literal);
      replace(literal.range(), text.substring(0, text.length() - 1) + "x'", "another text");
      Matcher numbers = NUMBER.matcher(text);
      while (numbers.find()) {
        for (int by : new int[] {-1, 1}) {
          int moved = Integer.parseInt(numbers.group()) + by;
          replace(
              literal.range(),
              text.substring(0, numbers.start())
                  + Math.max(0, moved)
                  + text.substring(numbers.end()),
              "a number in a text moved by " + by);
        }
      }
    }
  }

  private void method(MethodCall call) {
    Map<String, String> others =
        Map.of("hasOnly", "hasAny", "hasAll", "hasAny", "size", "keys", "concat", "removeAll");
    String other = others.get(call.method());
    if (other != null) {
      String text = text(call);
      int at = text.lastIndexOf("." + call.method() + "(");
      replace(
          call.range(),
          text.substring(0, at) + "." + other
              + text.substring(at + 1 + call.method().length()),
          "another method");
    }
  }

  private void dropEach(List<Expression> elements, SourceRange range, String open, String close) {
    for (Expression dropped : elements) {
      String rest = elements.stream()
          .filter(element -> !element.range().equals(dropped.range()))
          .map(this::text)
          .collect(Collectors.joining(", "));
      replace(range, open + rest + close, "without " + text(dropped));
    }
  }

  private String text(Expression expression) {
    return expression.range().textIn(source);
  }

  private void replace(SourceRange range, String by, String why) {
    if (by.equals(range.textIn(source))) {
      return;
    }
    String mutated = source.substring(0, range.start()) + by + source.substring(range.end());
    String was = range.textIn(source).replaceAll("\\s+", " ");
    mutants.add(new Mutant(
        "L" + range.line() + " " + why + ": " + was + " -> " + by.replaceAll("\\s+", " "),
        mutated));
  }
}
