package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.store.Snapshot;
import java.util.ArrayList;
import java.util.List;

/** Cuts the results of a collection group query into pieces of about the same size. */
public final class Partitions {
  private Partitions() {}

  /** Returns at most so many positions between documents, in order. */
  public static List<Cursor> of(Query query, Snapshot snapshot, long maxCuts) {
    if (!query.allDescendants() || query.isWindow() || query.orderings().size() != 1) {
      throw FirestoreServerException.invalid(
          "Only a collection group query ordered by __name__, without limit and offset, can be partitioned.");
    }
    if (maxCuts < 1) {
      throw FirestoreServerException.invalid("partition_count must be at least 1.");
    }
    long results = 0;
    for (QueryRun counted = new QueryRun(query, snapshot); counted.hasNext(); counted.next()) {
      results++;
    }
    long cuts = Math.min(maxCuts, results - 1);
    List<Cursor> cursors = new ArrayList<>();
    QueryRun cut = new QueryRun(query, snapshot);
    for (long place = 0; cursors.size() < cuts; place++) {
      String name = cut.next().getName();
      if (place == (cursors.size() + 1) * results / (cuts + 1)) {
        cursors.add(Cursor.newBuilder()
            .addValues(Value.newBuilder().setReferenceValue(name))
            .setBefore(true)
            .build());
      }
    }
    return cursors;
  }
}
