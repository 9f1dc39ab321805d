package dev.syncguard.firestore.server.rest;

import com.google.firestore.v1.CreateDocumentRequest;
import com.google.firestore.v1.DeleteDocumentRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.ListDocumentsRequest;
import com.google.firestore.v1.UpdateDocumentRequest;
import com.google.protobuf.Empty;
import com.google.protobuf.Message;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.operation.Operations;
import java.util.Optional;
import java.util.function.Consumer;

/** The methods whose URL is a document or a collection. They return nothing for a URL that is not theirs. */
final class DocumentRoutes {
  private final Operations operations;

  DocumentRoutes(Operations operations) {
    this.operations = operations;
  }

  Optional<Message> get(AuthContext who, RestPath path, RestParameters parameters) {
    if (path.isOpen()) {
      return Optional.of(list(who, path, parameters));
    }
    if (path.isDocument()) {
      GetDocumentRequest.Builder request = GetDocumentRequest.newBuilder().setName(path.name());
      parameters.mask("mask").ifPresent(request::setMask);
      parameters.time("readTime").ifPresent(request::setReadTime);
      parameters.bytes("transaction").ifPresent(request::setTransaction);
      return Optional.of(operations.reads().get(who, request.build()));
    }
    return path.isCollection() ? Optional.of(list(who, path, parameters)) : Optional.empty();
  }

  private Message list(AuthContext who, RestPath path, RestParameters parameters) {
    ListDocumentsRequest.Builder request = ListDocumentsRequest.newBuilder()
        .setParent(path.parent())
        .setCollectionId(path.lastId())
        .setPageSize(parameters.integer("pageSize"))
        .setPageToken(parameters.text("pageToken").orElse(""))
        .setOrderBy(parameters.text("orderBy").orElse(""))
        .setShowMissing(parameters.bool("showMissing"));
    parameters.mask("mask").ifPresent(request::setMask);
    parameters.time("readTime").ifPresent(request::setReadTime);
    parameters.bytes("transaction").ifPresent(request::setTransaction);
    return operations.lists().list(who, request.build());
  }

  /** @param reserve sees the answer before the write counts, and throws if it could not be sent */
  Optional<Message> create(
      AuthContext who,
      RestPath path,
      RestParameters parameters,
      String body,
      Consumer<Document> reserve) {
    if (!path.isCollection()) {
      return Optional.empty();
    }
    CreateDocumentRequest.Builder request = CreateDocumentRequest.newBuilder()
        .setParent(path.parent())
        .setCollectionId(path.lastId())
        .setDocumentId(parameters.text("documentId").orElse(""))
        .setDocument(Json.parse(body, Document.newBuilder()));
    parameters.mask("mask").ifPresent(request::setMask);
    return Optional.of(operations.writes().create(who, request.build(), reserve));
  }

  /** @param reserve sees the answer before the write counts, and throws if it could not be sent */
  Optional<Message> update(
      AuthContext who,
      RestPath path,
      RestParameters parameters,
      String body,
      Consumer<Document> reserve) {
    if (!path.isDocument()) {
      return Optional.empty();
    }
    UpdateDocumentRequest.Builder request = UpdateDocumentRequest.newBuilder()
        .setDocument(Json.parse(body, Document.newBuilder()).setName(path.name()))
        .setCurrentDocument(parameters.precondition());
    parameters.mask("updateMask").ifPresent(request::setUpdateMask);
    parameters.mask("mask").ifPresent(request::setMask);
    return Optional.of(operations.writes().update(who, request.build(), reserve));
  }

  Optional<Message> delete(AuthContext who, RestPath path, RestParameters parameters) {
    if (!path.isDocument()) {
      return Optional.empty();
    }
    operations
        .writes()
        .delete(
            who,
            DeleteDocumentRequest.newBuilder()
                .setName(path.name())
                .setCurrentDocument(parameters.precondition())
                .build());
    return Optional.of(Empty.getDefaultInstance());
  }
}
