package dev.syncguard.rules;

import dev.syncguard.rules.evaluation.Evaluation;
import dev.syncguard.rules.evaluation.Library;
import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.RulesLookup;
import dev.syncguard.rules.evaluation.Scope;
import dev.syncguard.rules.evaluation.Trace;
import dev.syncguard.rules.query.QueryFilter;
import dev.syncguard.rules.query.QueryFilter.Operator;
import dev.syncguard.rules.query.RulesQuery;
import dev.syncguard.rules.syntax.BinaryOperator;
import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.syntax.Expression.Binary;
import dev.syncguard.rules.syntax.Expression.Call;
import dev.syncguard.rules.syntax.Expression.Literal;
import dev.syncguard.rules.syntax.Expression.Member;
import dev.syncguard.rules.syntax.Expression.MethodCall;
import dev.syncguard.rules.syntax.Expression.Name;
import dev.syncguard.rules.syntax.Expression.Not;
import dev.syncguard.rules.syntax.SourceReader;
import dev.syncguard.rules.value.RulesValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads a query that is written in the language of rules. */
final class QueryText {
  private final List<RulesQuery.Order> orders = new ArrayList<>();
  private OptionalLong limit = OptionalLong.empty();

  private QueryText() {}

  static RulesQuery parse(String collection, String text) {
    QueryText reader = new QueryText();
    QueryFilter filter = reader.filter(expression(text));
    return new RulesQuery(
        List.of(), Optional.of(collection), false, filter, reader.orders, reader.limit, 0);
  }

  static Expression expression(String text) {
    String source = "service cloud.firestore { match /a { allow get: if " + text + "; } }";
    SourceReader.Result result = SourceReader.read(source);
    if (result instanceof SourceReader.Parsed readable) {
      return readable
          .source()
          .services()
          .get(0)
          .matches()
          .get(0)
          .allows()
          .get(0)
          .condition()
          .orElseThrow();
    }
    throw new IllegalArgumentException(text + ": " + result);
  }

  private QueryFilter filter(Expression text) {
    if (text instanceof Literal) {
      return new QueryFilter.All(List.of());
    } else if (text instanceof Binary binary && binary.operator() == BinaryOperator.AND) {
      return new QueryFilter.All(List.of(filter(binary.left()), filter(binary.right())));
    } else if (text instanceof Binary binary && binary.operator() == BinaryOperator.OR) {
      return new QueryFilter.Any(List.of(filter(binary.left()), filter(binary.right())));
    } else if (text instanceof Not not) {
      Binary in = (Binary) not.operand();
      return new QueryFilter.Field(field(in.left()), Operator.NOT_IN, value(in.right()));
    } else if (text instanceof MethodCall call) {
      return new QueryFilter.Field(
          field(call.object()),
          Operator.ARRAY_CONTAINS_ANY,
          value(call.arguments().get(0)));
    } else if (text instanceof Call call) {
      if (call.function().equals("limit")) {
        limit = OptionalLong.of(((RulesValue.IntValue) value(call.arguments().get(0))).value());
      } else {
        orders.add(new RulesQuery.Order(field(call.arguments().get(0)), false));
      }
      return new QueryFilter.All(List.of());
    }
    return comparison((Binary) text);
  }

  private static QueryFilter comparison(Binary binary) {
    if (binary.operator() == BinaryOperator.IN) {
      return binary.left() instanceof Literal
          ? new QueryFilter.Field(
              field(binary.right()), Operator.ARRAY_CONTAINS, value(binary.left()))
          : new QueryFilter.Field(field(binary.left()), Operator.IN, value(binary.right()));
    }
    return new QueryFilter.Field(
        field(binary.left()), Operator.valueOf(binary.operator().name()), value(binary.right()));
  }

  private static List<String> field(Expression text) {
    if (text instanceof Name name) {
      return List.of(name.name());
    }
    Member member = (Member) text;
    List<String> names = new ArrayList<>(field(member.object()));
    names.add(member.name());
    return names;
  }

  private static RulesValue value(Expression text) {
    return (RulesValue) new Evaluation(
            new Library(), "(default)", LookupBudget.single(RulesLookup.EMPTY), Trace.NONE)
        .value(text, Scope.outermost(List.of()));
  }
}
