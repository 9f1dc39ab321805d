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
    List<String> names = new ArrayList<>();
    QueryRun.each(query, snapshot, document -> names.add(document.getName()));
    long cuts = Math.min(maxCuts, names.size() - 1L);
    List<Cursor> cursors = new ArrayList<>();
    for (long i = 1; i <= cuts; i++) {
      String first = names.get((int) (i * names.size() / (cuts + 1)));
      cursors.add(Cursor.newBuilder()
          .addValues(Value.newBuilder().setReferenceValue(first))
          .setBefore(true)
          .build());
    }
    return cursors;
  }
}
