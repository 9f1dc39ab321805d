package dev.syncguard.rules.query;

import dev.syncguard.rules.value.RulesValue;
import java.util.List;

/** What a query demands of the documents that it finds. */
public sealed interface QueryFilter {
  /** All of these; none demands nothing. */
  record All(List<QueryFilter> filters) implements QueryFilter {
    public All {
      filters = List.copyOf(filters);
    }
  }

  /** At least one of these. */
  record Any(List<QueryFilter> filters) implements QueryFilter {
    public Any {
      filters = List.copyOf(filters);
    }
  }

  /**
   * Something about one field.
   *
   * @param field the names that lead to it; {@code __name__} alone is the document's own path
   * @param value for {@code IN}, {@code NOT_IN} and {@code ARRAY_CONTAINS_ANY} a list
   */
  record Field(List<String> field, Operator operator, RulesValue value) implements QueryFilter {
    public Field {
      field = List.copyOf(field);
    }
  }

  /** What a field is compared by. That it is null, or not a number, is an equality. */
  enum Operator {
    /** The field is the value. */
    EQUAL,
    /** The field is there and is another value. */
    NOT_EQUAL,
    /** The field is less than the value. */
    LESS,
    /** The field is the value or less. */
    LESS_OR_EQUAL,
    /** The field is greater than the value. */
    GREATER,
    /** The field is the value or greater. */
    GREATER_OR_EQUAL,
    /** The field is one of the values. */
    IN,
    /** The field is there and is none of the values. */
    NOT_IN,
    /** The field is an array that has the value. */
    ARRAY_CONTAINS,
    /** The field is an array that has at least one of the values. */
    ARRAY_CONTAINS_ANY
  }
}
