package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.ExecutionStats;
import com.google.firestore.v1.ExplainMetrics;
import com.google.firestore.v1.PlanSummary;
import com.google.protobuf.Duration;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.syncguard.firestore.server.store.Snapshot;
import java.util.stream.Collectors;

/** What a client that asks for an explanation is told about a query. */
public final class QueryExplanation {
  private QueryExplanation() {}

  /** Returns the plan alone. */
  public static ExplainMetrics plan(Query query) {
    return ExplainMetrics.newBuilder().setPlanSummary(summary(query)).build();
  }

  /** Returns the plan and what running it took. */
  public static ExplainMetrics profile(Query query, long results, Snapshot snapshot, long nanos) {
    return ExplainMetrics.newBuilder()
        .setPlanSummary(summary(query))
        .setExecutionStats(ExecutionStats.newBuilder()
            .setResultsReturned(results)
            .setReadOperations(reads(query, results))
            .setExecutionDuration(
                Duration.newBuilder().setSeconds(nanos / 1_000_000_000).setNanos((int)
                    (nanos % 1_000_000_000)))
            .setDebugStats(Struct.newBuilder()
                .putFields("documents_scanned", text(Long.toString(snapshot.readDocuments())))
                .putFields(
                    "index_entries_scanned", text(Long.toString(snapshot.visitedEntries())))))
        .build();
  }

  // As production bills it: a document each, and for a vector search every hundred entries of its
  // index.
  private static long reads(Query query, long results) {
    long documents = Math.max(1, results);
    return query.nearest() == null ? documents : documents + (results + 99) / 100;
  }

  private static PlanSummary summary(Query query) {
    String properties = query.orderings().stream()
        .map(ordering -> ordering.field() + (ordering.descending() ? " DESC" : " ASC"))
        .collect(Collectors.joining(", ", "(", ")"));
    return PlanSummary.newBuilder()
        .addIndexesUsed(Struct.newBuilder()
            .putFields(
                "query_scope", text(query.allDescendants() ? "Collection group" : "Collection"))
            .putFields("properties", text(properties)))
        .build();
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }
}
