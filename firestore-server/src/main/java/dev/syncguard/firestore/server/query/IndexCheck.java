package dev.syncguard.firestore.server.query;

import dev.syncguard.firestore.server.value.FieldPath;
import java.util.List;

/** Refuses queries for want of an index. Thread-safe. */
@FunctionalInterface
public interface IndexCheck {
  /** Lets every query pass: our own planner needs no index. */
  IndexCheck NONE = (query, aggregated) -> {};

  /**
   * Refuses the query if it lacks an index.
   *
   * @param aggregated the fields that are summed or averaged
   */
  void check(Query query, List<FieldPath> aggregated);

  /** Refuses a query without aggregations if it lacks an index. */
  default void check(Query query) {
    check(query, List.of());
  }
}
