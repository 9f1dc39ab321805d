package dev.syncguard.rules;

import java.util.List;
import java.util.Random;

/** Writes conditions by chance, most of which make sense. */
final class RandomExpressions {
  private static final List<String> FIELDS = List.of("name", "population", "visits", "nothing");
  private static final List<String> COMPARISONS = List.of("==", "!=", "<", "<=", ">", ">=");
  private static final List<String> TYPES =
      List.of("int", "float", "number", "string", "map", "list", "bool", "timestamp");

  private final Random random;
  private List<String> fields = FIELDS;

  RandomExpressions(Random random) {
    this.random = random;
  }

  /** Returns a condition that asks only about these fields of the document. */
  String boolOf(List<String> only, int depth) {
    fields = only;
    return bool(depth);
  }

  String bool(int depth) {
    if (depth == 0) {
      return pick(List.of("true", "false", value(0) + " == " + value(0)));
    }
    return switch (random.nextInt(12)) {
      case 0, 1 -> "(" + bool(depth - 1) + " && " + bool(depth - 1) + ")";
      case 2, 3 -> "(" + bool(depth - 1) + " || " + bool(depth - 1) + ")";
      case 4 -> "!(" + bool(depth - 1) + ")";
      case 5 -> "(" + bool(depth - 1) + " ? " + bool(depth - 1) + " : " + bool(depth - 1) + ")";
      case 6 -> "(" + value(depth - 1) + " in " + list(depth - 1) + ")";
      case 7 -> "(" + value(depth - 1) + " is " + pick(TYPES) + ")";
      case 8 -> "('" + pick(fields) + "' in resource.data)";
      case 9 ->
        list(depth - 1) + "." + pick(List.of("hasAny", "hasAll", "hasOnly")) + "(" + list(0) + ")";
      default -> "(" + value(depth - 1) + " " + pick(COMPARISONS) + " " + value(depth - 1) + ")";
    };
  }

  private String value(int depth) {
    if (depth <= 0) {
      return switch (random.nextInt(8)) {
        case 0 -> "'" + pick(List.of("a", "ab", "Paris", "")) + "'";
        case 1 -> random.nextInt(4) + ".5";
        case 2 -> "null";
        case 3, 4 -> Integer.toString(random.nextInt(4));
        default -> "resource.data." + pick(fields);
      };
    }
    return switch (random.nextInt(14)) {
      case 0 -> "(" + value(depth - 1) + " + " + value(depth - 1) + ")";
      case 1 -> "(" + value(depth - 1) + " / " + value(depth - 1) + ")";
      case 2 -> "(" + value(depth - 1) + " * " + value(depth - 1) + ")";
      case 3 -> list(depth - 1) + ".size()";
      case 4 -> list(depth - 1) + "[" + random.nextInt(3) + "]";
      case 5 -> "resource.data.get('" + pick(fields) + "', " + value(depth - 1) + ")";
      case 6 -> "int(" + value(depth - 1) + ")";
      case 7 -> "string(" + value(depth - 1) + ")";
      case 8 -> "{'a': " + value(depth - 1) + "}.a";
      case 9 -> "-" + value(0).replace("-", "");
      case 10 -> "(" + bool(depth - 1) + " ? " + value(depth - 1) + " : " + value(depth - 1) + ")";
      case 11 -> "math.abs(" + value(depth - 1) + ")";
      default -> "resource.data." + pick(fields);
    };
  }

  private String list(int depth) {
    return switch (random.nextInt(5)) {
      case 0 -> "resource.data.keys()";
      case 1 -> "resource.data." + pick(fields);
      case 2 -> "[" + value(depth - 1) + ", " + value(depth - 1) + "].concat([" + value(0) + "])";
      default -> "[" + value(depth - 1) + ", " + value(depth - 1) + "]";
    };
  }

  private String pick(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
