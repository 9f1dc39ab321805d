package dev.syncguard.firestore.server.rest;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchWriteRequest;
import com.google.firestore.v1.BeginTransactionRequest;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.ListCollectionIdsRequest;
import com.google.firestore.v1.PartitionQueryRequest;
import com.google.firestore.v1.RollbackRequest;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunQueryRequest;
import com.google.protobuf.Empty;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.operation.Messages;
import dev.syncguard.firestore.server.operation.Operations;
import dev.syncguard.firestore.server.operation.Queries;
import java.util.Optional;

/** The methods whose URL ends with a verb, and whose body is the request. They return nothing for a verb that is not theirs. */
final class VerbRoutes {
  private final Operations operations;

  VerbRoutes(Operations operations) {
    this.operations = operations;
  }

  Optional<HttpResponse> answer(
      ServiceRequestContext ctx, AuthContext who, RestPath path, String body) {
    Optional<HttpResponse> done =
        path.ids().isEmpty() ? ofDatabase(who, path, body).map(JsonAnswer::done) : Optional.empty();
    return done.or(() -> ofParent(who, path, body).map(answer -> JsonAnswer.of(ctx, answer)))
        .or(() -> stream(who, path, body).map(messages -> JsonAnswer.ofAll(ctx, messages)));
  }

  /** All that has an effect. */
  private Optional<Message> ofDatabase(AuthContext who, RestPath path, String body) {
    String database = path.database();
    return switch (path.verb()) {
      case "commit" ->
        Optional.of(commit(who, VerifyWrites.parse(body).setDatabase(database).build()));
      case "batchWrite" ->
        Optional.of(operations
            .commits()
            .batchWrite(
                who,
                Json.parse(body, BatchWriteRequest.newBuilder())
                    .setDatabase(database)
                    .build()));
      case "beginTransaction" ->
        Optional.of(operations
            .commits()
            .begin(
                who,
                Json.parse(body, BeginTransactionRequest.newBuilder())
                    .setDatabase(database)
                    .build()));
      case "rollback" -> {
        operations
            .commits()
            .rollback(Json.parse(body, RollbackRequest.newBuilder())
                .setDatabase(database)
                .build());
        yield Optional.of(Empty.getDefaultInstance());
      }
      default -> Optional.empty();
    };
  }

  // Nothing was committed, so there is no time to tell.
  private Message commit(AuthContext who, CommitRequest request) {
    CommitResponse response = operations.commits().commit(who, request);
    return request.getWritesCount() == 0 ? CommitResponse.getDefaultInstance() : response;
  }

  private Optional<Message> ofParent(AuthContext who, RestPath path, String body) {
    String parent = path.name();
    return switch (path.verb()) {
      case "partitionQuery" ->
        Optional.of(operations
            .queries()
            .partition(
                who,
                Json.parse(body, PartitionQueryRequest.newBuilder())
                    .setParent(parent)
                    .build()));
      case "listCollectionIds" ->
        Optional.of(operations
            .reads()
            .listCollectionIds(
                who,
                Json.parse(body, ListCollectionIdsRequest.newBuilder())
                    .setParent(parent)
                    .build()));
      default -> Optional.empty();
    };
  }

  private Optional<Messages<? extends Message>> stream(
      AuthContext who, RestPath path, String body) {
    return switch (path.verb()) {
      case "batchGet" ->
        path.ids().isEmpty()
            ? Optional.of(operations
                .reads()
                .batchGet(
                    who,
                    Json.parse(body, BatchGetDocumentsRequest.newBuilder())
                        .setDatabase(path.database())
                        .build()))
            : Optional.empty();
      case "runQuery" ->
        Optional.of(operations
            .queries()
            .run(
                who,
                Json.parse(body, RunQueryRequest.newBuilder())
                    .setParent(path.name())
                    .build()));
      case "runAggregationQuery" ->
        Optional.of(operations
            .queries()
            .aggregate(
                who,
                Json.parse(body, RunAggregationQueryRequest.newBuilder())
                    .setParent(path.name())
                    .build()));
      case "executePipeline" -> throw Queries.noPipelines();
      default -> Optional.empty();
    };
  }
}
