package dev.syncguard.firestore.server.query;

import dev.syncguard.firestore.server.query.FieldTest.Operator;
import java.util.ArrayList;
import java.util.List;

/** Rewrites a condition as alternatives, each of which is a list of tests on fields that must all hold. */
final class DisjunctiveForm {
  static final int MAX_ALTERNATIVES = 30;
  private static final long COUNTLESS = 1_000_000_000;

  private DisjunctiveForm() {}

  /** Returns how many alternatives there would be, without writing them out: that could be very many. */
  static long count(Filter filter) {
    if (filter instanceof Filter.All all) {
      long product = 1;
      for (Filter part : all.parts()) {
        product = Math.min(product * count(part), COUNTLESS);
      }
      return product;
    }
    if (filter instanceof Filter.Any any) {
      return Math.min(any.parts().stream().mapToLong(DisjunctiveForm::count).sum(), COUNTLESS);
    }
    FieldTest test = (FieldTest) filter;
    return splits(test) ? test.operands().size() : 1;
  }

  static List<List<FieldTest>> of(Filter filter) {
    if (filter instanceof Filter.All all) {
      List<List<FieldTest>> product = List.of(List.of());
      for (Filter part : all.parts()) {
        product = product(product, of(part));
      }
      return product;
    }
    if (filter instanceof Filter.Any any) {
      return any.parts().stream().flatMap(part -> of(part).stream()).toList();
    }
    FieldTest test = (FieldTest) filter;
    return splits(test) ? split(test) : List.of(List.of(test));
  }

  private static List<List<FieldTest>> product(
      List<List<FieldTest>> left, List<List<FieldTest>> right) {
    List<List<FieldTest>> product = new ArrayList<>();
    for (List<FieldTest> a : left) {
      for (List<FieldTest> b : right) {
        List<FieldTest> both = new ArrayList<>(a);
        both.addAll(b);
        product.add(both);
      }
    }
    return product;
  }

  private static boolean splits(FieldTest test) {
    return test.operator() == Operator.IN || test.operator() == Operator.ARRAY_CONTAINS_ANY;
  }

  private static List<List<FieldTest>> split(FieldTest test) {
    Operator single = test.operator() == Operator.IN ? Operator.EQUAL : Operator.ARRAY_CONTAINS;
    return test.operands().stream()
        .map(operand -> List.of(new FieldTest(test.field(), single, operand)))
        .toList();
  }
}
