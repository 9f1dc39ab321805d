package dev.syncguard.firestore.server.operation;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentMask;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.ListCollectionIdsRequest;
import com.google.firestore.v1.ListCollectionIdsResponse;
import com.google.protobuf.Timestamp;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.operation.Databases.Served;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.transaction.Reading;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Masks;
import dev.syncguard.firestore.server.value.Times;
import dev.syncguard.firestore.server.value.Utf8Order;
import java.util.List;
import java.util.stream.Stream;

/** Reads of documents by name. Thread-safe. */
public final class DocumentReads {
  /** How many documents are read without a thread of their own. */
  private static final int FEW = 10;

  private final Databases databases;
  private final Gatekeeper gatekeeper;

  /** Creates reads of these databases, of which the gatekeeper must approve. */
  public DocumentReads(Databases databases, Gatekeeper gatekeeper) {
    this.databases = databases;
    this.gatekeeper = gatekeeper;
  }

  /** Returns whether the request is answered at once, without waiting for anything or anybody. */
  public boolean isPrompt(AuthContext who, GetDocumentRequest request) {
    return request.getConsistencySelectorCase()
            == GetDocumentRequest.ConsistencySelectorCase.CONSISTENCYSELECTOR_NOT_SET
        && isPrompt(who, DocumentName.parse(request.getName()).database());
  }

  /** Returns whether the request is answered at once, without waiting for anything or anybody. */
  public boolean isPrompt(AuthContext who, BatchGetDocumentsRequest request) {
    return request.getConsistencySelectorCase()
            == BatchGetDocumentsRequest.ConsistencySelectorCase.CONSISTENCYSELECTOR_NOT_SET
        && request.getDocumentsCount() <= FEW
        && isPrompt(who, DatabaseName.parse(request.getDatabase()));
  }

  private boolean isPrompt(AuthContext who, DatabaseName database) {
    return gatekeeper.isPrompt(who, database) && databases.prompt(database).isPresent();
  }

  /** Returns a document, or throws {@code NOT_FOUND}. */
  public Document get(AuthContext who, GetDocumentRequest request) {
    DocumentName name = DocumentName.parse(request.getName());
    Served served = databases.get(name.database());
    Reading reading = switch (request.getConsistencySelectorCase()) {
      case TRANSACTION -> served.transactions().reading(request.getTransaction());
      case READ_TIME -> gatekeeper.past(who, name.database(), request.getReadTime());
      case CONSISTENCYSELECTOR_NOT_SET -> Reading.latest();
    };
    reading.willRead(List.of(name));
    Document document = reading.in(served.database(), snapshot -> {
      gatekeeper.checkGet(who, name.database(), List.of(name), snapshot);
      Document found = snapshot.get(name);
      if (found == null) {
        throw FirestoreServerException.notFound("Document (" + name + ") not found.");
      }
      return found;
    });
    return masked(document, request.hasMask(), request.getMask());
  }

  /** Answers with one message per document, in the order they were asked for. */
  public Messages<BatchGetDocumentsResponse> batchGet(
      AuthContext who, BatchGetDocumentsRequest request) {
    DatabaseName database = DatabaseName.parse(request.getDatabase());
    Served served = databases.get(database);
    List<DocumentName> names = names(database, request.getDocumentsList());
    List<FieldPath> mask = request.hasMask() ? Masks.parse(request.getMask()) : List.of();
    Reading reading = switch (request.getConsistencySelectorCase()) {
      case TRANSACTION -> served.transactions().reading(request.getTransaction());
      case NEW_TRANSACTION ->
        served
            .transactions()
            .readingInNew(gatekeeper.checked(who, database, request.getNewTransaction()));
      case READ_TIME -> gatekeeper.past(who, database, request.getReadTime());
      case CONSISTENCYSELECTOR_NOT_SET -> Reading.latest();
    };
    reading.willRead(names);
    Snapshot seen = reading.in(served.database(), snapshot -> {
      gatekeeper.checkGet(who, database, names, snapshot);
      snapshot.hold();
      return snapshot;
    });
    Timestamp readTime = Times.timestamp(seen.micros());
    Stream<BatchGetDocumentsResponse> answers = names.stream().map(name -> {
      BatchGetDocumentsResponse.Builder response =
          BatchGetDocumentsResponse.newBuilder().setReadTime(readTime);
      Document document = seen.get(name);
      return document == null
          ? response.setMissing(name.toString()).build()
          : response
              .setFound(request.hasMask() ? Masks.project(document, mask) : document)
              .build();
    });
    Stream<BatchGetDocumentsResponse> begun = reading.newTransaction().isEmpty()
        ? Stream.empty()
        : Stream.of(BatchGetDocumentsResponse.newBuilder()
            .setTransaction(reading.newTransaction())
            .build());
    return Messages.of(Stream.concat(begun, answers).iterator(), seen::close);
  }

  /** Returns the names of the collections below a document, page by page. */
  public ListCollectionIdsResponse listCollectionIds(
      AuthContext who, ListCollectionIdsRequest request) {
    ParentName parent = ParentName.parse(request.getParent());
    if (request.getPageSize() < 0) {
      throw FirestoreServerException.invalid("page_size must be greater than or equal to zero.");
    }
    gatekeeper.checkAdministration(who, parent.database(), "Metadata operations");
    Reading reading = request.hasReadTime()
        ? gatekeeper.past(who, parent.database(), request.getReadTime())
        : Reading.latest();
    List<String> ids = databases
        .get(parent.database())
        .database()
        .read(reading.micros(), snapshot -> snapshot.collectionIds(parent));
    Page<String> page =
        Page.of(ids, request.getPageSize(), request.getPageToken(), id -> id, Utf8Order::compare);
    return ListCollectionIdsResponse.newBuilder()
        .addAllCollectionIds(page.items())
        .setNextPageToken(page.nextToken())
        .build();
  }

  static Document masked(Document document, boolean hasMask, DocumentMask mask) {
    return hasMask ? Masks.project(document, Masks.parse(mask)) : document;
  }

  private static List<DocumentName> names(DatabaseName database, List<String> documents) {
    return documents.stream()
        .distinct()
        .map(DocumentName::parse)
        .peek(name -> {
          if (!name.database().equals(database)) {
            throw FirestoreServerException.invalid(
                "A document does not lie in the database of the request.");
          }
        })
        .toList();
  }
}
