package dev.syncguard.firestore.server.rest;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.BatchWriteRequest;
import com.google.firestore.v1.BeginTransactionRequest;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.ListCollectionIdsRequest;
import com.google.firestore.v1.PartitionQueryRequest;
import com.google.firestore.v1.RollbackRequest;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunAggregationQueryResponse;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.protobuf.Empty;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.operation.Operations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The methods whose URL ends with a verb, and whose body is the request. The answer is JSON text. */
final class VerbRoutes {
  private final Operations operations;

  VerbRoutes(Operations operations) {
    this.operations = operations;
  }

  Optional<String> answer(AuthContext who, RestPath path, String body) {
    return path.ids().isEmpty()
        ? ofDatabase(who, path, body).or(() -> ofParent(who, path, body))
        : ofParent(who, path, body);
  }

  private Optional<String> ofDatabase(AuthContext who, RestPath path, String body) {
    String database = path.database();
    return switch (path.verb()) {
      case "commit" ->
        Optional.of(commit(
            who,
            Json.parse(body, CommitRequest.newBuilder()).setDatabase(database).build()));
      case "batchGet" -> {
        List<BatchGetDocumentsResponse> responses = new ArrayList<>();
        operations
            .reads()
            .batchGet(
                who,
                Json.parse(body, BatchGetDocumentsRequest.newBuilder())
                    .setDatabase(database)
                    .build(),
                responses::add);
        yield Optional.of(Json.print(responses));
      }
      case "batchWrite" ->
        Optional.of(Json.print(operations
            .commits()
            .batchWrite(
                who,
                Json.parse(body, BatchWriteRequest.newBuilder())
                    .setDatabase(database)
                    .build())));
      case "beginTransaction" ->
        Optional.of(Json.print(operations
            .commits()
            .begin(
                who,
                Json.parse(body, BeginTransactionRequest.newBuilder())
                    .setDatabase(database)
                    .build())));
      case "rollback" -> {
        operations
            .commits()
            .rollback(Json.parse(body, RollbackRequest.newBuilder())
                .setDatabase(database)
                .build());
        yield Optional.of(Json.print(Empty.getDefaultInstance()));
      }
      default -> Optional.empty();
    };
  }

  // Nothing was committed, so there is no time to tell.
  private String commit(AuthContext who, CommitRequest request) {
    CommitResponse response = operations.commits().commit(who, request);
    return Json.print(
        request.getWritesCount() == 0 ? CommitResponse.getDefaultInstance() : response);
  }

  private Optional<String> ofParent(AuthContext who, RestPath path, String body) {
    String parent = path.name();
    return switch (path.verb()) {
      case "runQuery" -> {
        List<RunQueryResponse> responses = new ArrayList<>();
        operations
            .queries()
            .run(
                who,
                Json.parse(body, RunQueryRequest.newBuilder()).setParent(parent).build(),
                responses::add);
        yield Optional.of(Json.print(responses));
      }
      case "runAggregationQuery" -> {
        List<RunAggregationQueryResponse> responses = new ArrayList<>();
        operations
            .queries()
            .aggregate(
                who,
                Json.parse(body, RunAggregationQueryRequest.newBuilder())
                    .setParent(parent)
                    .build(),
                responses::add);
        yield Optional.of(Json.print(responses));
      }
      case "partitionQuery" ->
        Optional.of(Json.print(operations
            .queries()
            .partition(
                who,
                Json.parse(body, PartitionQueryRequest.newBuilder())
                    .setParent(parent)
                    .build())));
      case "listCollectionIds" ->
        Optional.of(Json.print(operations
            .reads()
            .listCollectionIds(
                who,
                Json.parse(body, ListCollectionIdsRequest.newBuilder())
                    .setParent(parent)
                    .build())));
      default -> Optional.empty();
    };
  }
}
