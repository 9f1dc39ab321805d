package dev.syncguard.rules.query;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A query, as far as rules can judge it.
 *
 * @param parent the ids of the document below which it looks; none for the root
 * @param collection the id of its collections; empty for all
 * @param allDescendants whether collections further down are meant, too
 */
public record RulesQuery(
    List<String> parent,
    Optional<String> collection,
    boolean allDescendants,
    QueryFilter where,
    List<Order> orderBy,
    OptionalLong limit,
    long offset) {
  /** An order of the results by one field, which they all have then. */
  public record Order(List<String> field, boolean descending) {
    public Order {
      field = List.copyOf(field);
    }
  }

  public RulesQuery {
    parent = List.copyOf(parent);
    orderBy = List.copyOf(orderBy);
  }

  /** Returns the query for all documents of a collection below the root. */
  public static RulesQuery of(String collection) {
    return new RulesQuery(
        List.of(),
        Optional.of(collection),
        false,
        new QueryFilter.All(List.of()),
        List.of(),
        OptionalLong.empty(),
        0);
  }

  /** Returns this query with another filter. */
  public RulesQuery where(QueryFilter filter) {
    return new RulesQuery(parent, collection, allDescendants, filter, orderBy, limit, offset);
  }
}
