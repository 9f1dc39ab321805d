package dev.syncguard.firestore.server.query;

import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.List;

/**
 * Refuses a query for which production would want an index that is not configured. Our own planner needs none; this is
 * for those who want to find out before they deploy. Thread-safe.
 */
public final class IndexRequirement implements IndexCheck {
  private final IndexConfiguration configuration;

  /** Creates a check against the indexes that were configured. */
  public IndexRequirement(IndexConfiguration configuration) {
    this.configuration = configuration;
  }

  @Override
  public void check(Query query, List<FieldPath> aggregated) {
    for (IndexNeed need : IndexNeed.of(query, aggregated)) {
      if (!need.isMetBy(configuration)) {
        throw FirestoreServerException.failedPrecondition(
            IndexSuggestion.of(query.parent().database(), need.sufficient()));
      }
    }
  }
}
