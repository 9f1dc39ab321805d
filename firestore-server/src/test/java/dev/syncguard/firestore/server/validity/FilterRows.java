package dev.syncguard.firestore.server.validity;

import static com.google.firestore.v1.StructuredQuery.UnaryFilter.Operator.IS_NAN;
import static com.google.firestore.v1.StructuredQuery.UnaryFilter.Operator.IS_NOT_NAN;
import static com.google.firestore.v1.StructuredQuery.UnaryFilter.Operator.IS_NOT_NULL;
import static com.google.firestore.v1.StructuredQuery.UnaryFilter.Operator.IS_NULL;
import static com.google.rpc.Code.FAILED_PRECONDITION;
import static com.google.rpc.Code.INVALID_ARGUMENT;
import static dev.syncguard.firestore.server.query.QueryDsl.ROOT;
import static dev.syncguard.firestore.server.query.QueryDsl.and;
import static dev.syncguard.firestore.server.query.QueryDsl.composite;
import static dev.syncguard.firestore.server.query.QueryDsl.is;
import static dev.syncguard.firestore.server.query.QueryDsl.or;
import static dev.syncguard.firestore.server.query.QueryDsl.reference;
import static dev.syncguard.firestore.server.query.QueryDsl.test;
import static dev.syncguard.firestore.server.query.QueryDsl.where;
import static dev.syncguard.firestore.server.validity.ValidityRow.accepted;
import static dev.syncguard.firestore.server.validity.ValidityRow.refused;
import static dev.syncguard.firestore.server.validity.ValidityRow.refusedBelow;

import com.google.firestore.v1.StructuredQuery.CompositeFilter;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.Filter;
import com.google.firestore.v1.StructuredQuery.UnaryFilter;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Which filters a query may have. */
final class FilterRows {
  private static final String SINGLE_CONTAINS =
      "Only a single array-contains clause is allowed in a query";
  private static final String SINGLE_NEGATION =
      "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query.";
  private static final String NOT_IN_ALONE =
      "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.";
  private static final String UNSET = "Cannot convert firestore.v1.Value with type unset.";

  private FilterRows() {}

  static List<ValidityRow> conditions() {
    Filter a1 = test("a", "==", 1);
    return List.of(
        refused(
            "two array-contains",
            where(and(test("a", "contains", 1), test("b", "contains", 1))),
            FAILED_PRECONDITION,
            SINGLE_CONTAINS),
        refused(
            "array-contains with array-contains-any",
            where(and(test("a", "contains", 1), test("b", "any", List.of(1, 2)))),
            FAILED_PRECONDITION,
            SINGLE_CONTAINS),
        refused(
            "two array-contains-any",
            where(and(test("a", "any", List.of(1)), test("b", "any", List.of(1)))),
            FAILED_PRECONDITION,
            SINGLE_CONTAINS),
        accepted(
            "array-contains in two branches of an OR",
            where(or(test("a", "contains", 1), test("b", "contains", 1)))),
        accepted(
            "in with array-contains",
            where(and(test("a", "in", List.of(1, 2)), test("b", "contains", 1)))),
        accepted(
            "in with array-contains-any",
            where(and(test("a", "in", List.of(1, 2)), test("b", "any", List.of(1, 2))))),
        accepted("array-contains-any inside OR", where(or(test("a", "any", List.of(1, 2)), a1))),
        refused(
            "not-in with in",
            where(and(test("a", "not-in", List.of(1)), test("b", "in", List.of(1)))),
            INVALID_ARGUMENT,
            NOT_IN_ALONE),
        refused(
            "not-in with array-contains-any",
            where(and(test("a", "not-in", List.of(1)), test("b", "any", List.of(1)))),
            INVALID_ARGUMENT,
            NOT_IN_ALONE),
        refused(
            "not-in with an OR",
            where(and(test("a", "not-in", List.of(1)), or(a1, test("b", "==", 1)))),
            INVALID_ARGUMENT,
            NOT_IN_ALONE),
        refused(
            "not-in inside an OR",
            where(or(test("a", "not-in", List.of(1)), test("b", "==", 1))),
            INVALID_ARGUMENT,
            NOT_IN_ALONE),
        accepted("not-in with an OR of one", where(or(test("a", "not-in", List.of(1))))),
        refused(
            "two !=",
            where(and(test("a", "!=", 1), test("a", "!=", 2))),
            INVALID_ARGUMENT,
            SINGLE_NEGATION),
        refused(
            "two != on different fields",
            where(and(test("a", "!=", 1), test("b", "!=", 2))),
            INVALID_ARGUMENT,
            SINGLE_NEGATION),
        refused(
            "two not-in",
            where(and(test("a", "not-in", List.of(1)), test("b", "not-in", List.of(1)))),
            INVALID_ARGUMENT,
            SINGLE_NEGATION),
        refused(
            "not-in with !=",
            where(and(test("a", "not-in", List.of(1)), test("b", "!=", 1))),
            INVALID_ARGUMENT,
            SINGLE_NEGATION),
        refused(
            "is-not-null with is-not-nan",
            where(and(is("a", IS_NOT_NULL), is("b", IS_NOT_NAN))),
            INVALID_ARGUMENT,
            SINGLE_NEGATION),
        accepted("== null", where(test("a", "==", Values.nothing()))),
        accepted("!= NaN", where(test("a", "!=", Double.NaN))),
        accepted("< null", where(test("a", "<", Values.nothing()))),
        accepted("in [null]", where(test("a", "in", List.of(Values.nothing())))),
        accepted("is null and is NaN", where(and(is("a", IS_NULL), is("b", IS_NAN)))),
        refused(
            "in []",
            where(test("a", "in", List.of())),
            INVALID_ARGUMENT,
            "'IN' requires an non-empty ArrayValue."),
        refused(
            "not-in []",
            where(test("a", "not-in", List.of())),
            INVALID_ARGUMENT,
            "'NOT_IN' requires an non-empty ArrayValue."),
        refused(
            "array-contains-any []",
            where(test("a", "any", List.of())),
            INVALID_ARGUMENT,
            "'ARRAY_CONTAINS_ANY' requires an non-empty ArrayValue."),
        refused(
            "in without a list",
            where(test("a", "in", 1)),
            INVALID_ARGUMENT,
            "'IN' requires an ArrayValue."),
        accepted("in of 30", where(test("a", "in", numbers(30)))),
        refused(
            "in of 31",
            where(test("a", "in", numbers(31))),
            INVALID_ARGUMENT,
            "'IN' supports up to 30 comparison values."),
        refused(
            "array-contains-any of 31",
            where(test("a", "any", numbers(31))),
            INVALID_ARGUMENT,
            "'ARRAY_CONTAINS_ANY' supports up to 30 comparison values."),
        accepted("not-in of 10", where(test("a", "not-in", numbers(10)))),
        refused(
            "not-in of 11",
            where(test("a", "not-in", numbers(11))),
            INVALID_ARGUMENT,
            "'NOT_IN' supports up to 10 comparison values."),
        accepted(
            "15 times 2 disjunctions",
            where(and(test("a", "in", numbers(15)), test("b", "in", numbers(2))))),
        refused(
            "16 times 2 disjunctions",
            where(and(test("a", "in", numbers(16)), test("b", "in", numbers(2)))),
            INVALID_ARGUMENT,
            "Too many disjunctions after normalization. Result had 32 disjunctions which is more"
                + " than the maximum of 30"),
        refused(
            "an OR of 31",
            where(or(Collections.nCopies(31, a1).toArray(Filter[]::new))),
            INVALID_ARGUMENT,
            "Too many disjunctions after normalization. Result had 31 disjunctions"),
        refused("an empty composite filter", where(and()), INVALID_ARGUMENT, "A composite filter")
            .emulator("OK, no constraint"),
        accepted("composite filters of one", where(and(or(and(a1))))),
        refused(
            "a composite filter without operator",
            where(composite(CompositeFilter.Operator.OPERATOR_UNSPECIFIED, a1)),
            INVALID_ARGUMENT,
            "Unsupported CompositeFilter operator."),
        refused(
            "a field filter without operator",
            where(test("a", FieldFilter.Operator.OPERATOR_UNSPECIFIED, 1)),
            INVALID_ARGUMENT,
            "Unknown FieldFilter operator."),
        refused(
            "a unary filter without operator",
            where(is("a", UnaryFilter.Operator.OPERATOR_UNSPECIFIED)),
            INVALID_ARGUMENT,
            "Unknown UnaryFilter operator."),
        refused(
            "a path with an empty part",
            where(test("a..b", "==", 1)),
            INVALID_ARGUMENT,
            "Invalid property path \"a..b\"."),
        refused(
            "an empty path",
            where(test("", "==", 1)),
            INVALID_ARGUMENT,
            "Invalid empty property path string."),
        refused(
            "a value without type",
            where(test("a", "==", Value.getDefaultInstance())),
            INVALID_ARGUMENT,
            UNSET),
        refused(
            "a value without type in a list",
            where(test("a", "in", List.of(1, Value.getDefaultInstance()))),
            INVALID_ARGUMENT,
            UNSET),
        accepted("inequalities on 10 fields", where(and(inequalities(10)))),
        refused("inequalities on 11 fields", where(and(inequalities(11))), INVALID_ARGUMENT, "")
            .emulator("no limit recorded"),
        accepted("100 filters", where(and(Collections.nCopies(100, a1).toArray(Filter[]::new)))),
        refused(
                "101 filters",
                where(and(Collections.nCopies(101, a1).toArray(Filter[]::new))),
                INVALID_ARGUMENT,
                "A query has at most 100 filters, orders and parent documents")
            .emulator("no limit recorded"),
        refusedBelow(
                "100 filters below a document",
                ROOT + "/p/d",
                where(and(Collections.nCopies(100, a1).toArray(Filter[]::new))),
                "A query has at most 100 filters, orders and parent documents")
            .emulator("no limit recorded"),
        refused(
            "an inequality with equality on the key alone",
            where(and(test("a", ">", 1), test("__name__", "==", reference("c/d")))),
            INVALID_ARGUMENT,
            "Equality on key is not allowed"),
        accepted(
            "an inequality with equality and inequality on the key",
            where(and(
                test("a", ">", 1),
                test("__name__", "==", reference("c/d")),
                test("__name__", ">", reference("c/a"))))));
  }

  private static List<Object> numbers(int count) {
    return new ArrayList<>(IntStream.range(0, count).boxed().toList());
  }

  private static Filter[] inequalities(int count) {
    return IntStream.range(0, count).mapToObj(i -> test("f" + i, ">", 1)).toArray(Filter[]::new);
  }
}
