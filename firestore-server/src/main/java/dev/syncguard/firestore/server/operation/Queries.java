package dev.syncguard.firestore.server.operation;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.PartitionQueryRequest;
import com.google.firestore.v1.PartitionQueryResponse;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunAggregationQueryResponse;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.operation.Databases.Served;
import dev.syncguard.firestore.server.query.Aggregations;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.query.Partitions;
import dev.syncguard.firestore.server.query.Query;
import dev.syncguard.firestore.server.query.QueryExplanation;
import dev.syncguard.firestore.server.query.QueryRun;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.transaction.Reading;
import dev.syncguard.firestore.server.value.PathOrder;
import dev.syncguard.firestore.server.value.Times;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Queries and what is computed from them. Thread-safe. */
public final class Queries {
  private final Databases databases;
  private final Gatekeeper gatekeeper;
  private final IndexCheck indexes;

  /** @param indexes what a query is checked against before it runs */
  public Queries(Databases databases, Gatekeeper gatekeeper, IndexCheck indexes) {
    this.databases = databases;
    this.gatekeeper = gatekeeper;
    this.indexes = indexes;
  }

  /** Answers with one message per document, and at least with one that tells the read time. */
  public Messages<RunQueryResponse> run(AuthContext who, RunQueryRequest request) {
    ParentName parent = ParentName.parse(request.getParent());
    Query query = Query.of(parent, request.getStructuredQuery());
    indexes.check(query);
    checkExplain(who, parent, request.hasExplainOptions());
    if (request.hasExplainOptions() && !request.getExplainOptions().getAnalyze()) {
      return Messages.of(List.of(RunQueryResponse.newBuilder()
          .setExplainMetrics(QueryExplanation.plan(query))
          .build()));
    }
    long started = System.nanoTime();
    Served served = databases.get(parent.database());
    Reading reading = switch (request.getConsistencySelectorCase()) {
      case TRANSACTION -> served.transactions().reading(request.getTransaction());
      case NEW_TRANSACTION ->
        served
            .transactions()
            .readingInNew(gatekeeper.checked(who, parent.database(), request.getNewTransaction()));
      case READ_TIME -> gatekeeper.past(who, parent.database(), request.getReadTime());
      case CONSISTENCYSELECTOR_NOT_SET -> Reading.latest();
    };
    reading.willQuery(query.collectionId());
    record Found(Snapshot snapshot, QueryRun results) {}
    Found found = reading.in(served.database(), snapshot -> {
      gatekeeper.checkFind(who, parent, request.getStructuredQuery(), snapshot);
      QueryRun results = new QueryRun(query, snapshot);
      snapshot.hold();
      return new Found(snapshot, results);
    });
    Iterator<RunQueryResponse> messages = new QueryMessages(
        query,
        found.results(),
        reading.newTransaction(),
        Times.timestamp(found.snapshot().micros()),
        last -> {
          if (request.hasExplainOptions()) {
            last.setExplainMetrics(QueryExplanation.profile(
                query, found.results().found(), found.snapshot(), System.nanoTime() - started));
          }
        });
    return Messages.of(messages, found.snapshot()::close);
  }

  /** Counts, sums or averages what a query finds. */
  public Messages<RunAggregationQueryResponse> aggregate(
      AuthContext who, RunAggregationQueryRequest request) {
    ParentName parent = ParentName.parse(request.getParent());
    Aggregations aggregations = Aggregations.of(parent, request.getStructuredAggregationQuery());
    indexes.check(aggregations.filtered(), aggregations.fields());
    checkExplain(who, parent, request.hasExplainOptions());
    if (request.hasExplainOptions() && !request.getExplainOptions().getAnalyze()) {
      return Messages.of(List.of(RunAggregationQueryResponse.newBuilder()
          .setExplainMetrics(QueryExplanation.plan(aggregations.query()))
          .build()));
    }
    long started = System.nanoTime();
    Served served = databases.get(parent.database());
    Reading reading = switch (request.getConsistencySelectorCase()) {
      case TRANSACTION -> served.transactions().reading(request.getTransaction());
      case NEW_TRANSACTION ->
        served
            .transactions()
            .readingInNew(gatekeeper.checked(who, parent.database(), request.getNewTransaction()));
      case READ_TIME -> gatekeeper.past(who, parent.database(), request.getReadTime());
      case CONSISTENCYSELECTOR_NOT_SET -> Reading.latest();
    };
    reading.willQuery(aggregations.query().collectionId());
    RunAggregationQueryResponse answer = reading.in(served.database(), snapshot -> {
      gatekeeper.checkFind(
          who, parent, request.getStructuredAggregationQuery().getStructuredQuery(), snapshot);
      RunAggregationQueryResponse.Builder response = RunAggregationQueryResponse.newBuilder()
          .setResult(aggregations.run(snapshot))
          .setReadTime(Times.timestamp(snapshot.micros()));
      if (request.hasExplainOptions()) {
        response.setExplainMetrics(QueryExplanation.profile(
            aggregations.query(), 1, snapshot, System.nanoTime() - started));
      }
      return response.build();
    });
    List<RunAggregationQueryResponse> messages = new ArrayList<>();
    if (!reading.newTransaction().isEmpty()) {
      messages.add(RunAggregationQueryResponse.newBuilder()
          .setTransaction(reading.newTransaction())
          .build());
    }
    messages.add(answer);
    return Messages.of(messages);
  }

  /** How a query is run, and how much that reads, is nothing that rules could allow. */
  private void checkExplain(AuthContext who, ParentName parent, boolean explain) {
    if (explain) {
      gatekeeper.checkAdministration(who, parent.database(), "Explanations of queries");
    }
  }

  /** Answers with positions that cut the results into about as many pieces as asked for. */
  public PartitionQueryResponse partition(AuthContext who, PartitionQueryRequest request) {
    ParentName parent = ParentName.parse(request.getParent());
    Query query = Query.of(parent, request.getStructuredQuery());
    if (request.getPageSize() < 0) {
      throw FirestoreServerException.invalid("page_size is negative");
    }
    Reading reading = request.hasReadTime()
        ? gatekeeper.past(who, parent.database(), request.getReadTime())
        : Reading.latest();
    List<Cursor> cuts = databases
        .get(parent.database())
        .database()
        .read(reading.micros(), snapshot -> {
          gatekeeper.checkFind(who, parent, request.getStructuredQuery(), snapshot);
          return Partitions.of(query, snapshot, request.getPartitionCount());
        });
    Page<Cursor> page = Page.of(
        cuts,
        request.getPageSize(),
        request.getPageToken(),
        cursor -> cursor.getValues(0).getReferenceValue(),
        PathOrder.INSTANCE);
    return PartitionQueryResponse.newBuilder()
        .addAllPartitions(page.items())
        .setNextPageToken(page.nextToken())
        .build();
  }

  /** Returns what the standard edition says to a pipeline: they belong to the enterprise edition. */
  public static FirestoreServerException noPipelines() {
    return FirestoreServerException.invalid(
        "ExecutePipeline requires the Database Edition to be `enterprise`.");
  }
}
