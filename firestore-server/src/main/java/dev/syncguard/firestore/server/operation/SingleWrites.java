package dev.syncguard.firestore.server.operation;

import com.google.firestore.v1.CreateDocumentRequest;
import com.google.firestore.v1.DeleteDocumentRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentMask;
import com.google.firestore.v1.Precondition;
import com.google.firestore.v1.UpdateDocumentRequest;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.operation.Databases.Served;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.StagedWrite;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Masks;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** Writes of one document that answer with the document. Thread-safe. */
public final class SingleWrites {
  private static final String ID_CHARACTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final int ID_LENGTH = 20;

  private final Databases databases;
  private final Gatekeeper gatekeeper;
  private final RandomGenerator random;

  /** @param random must be safe for many threads */
  public SingleWrites(Databases databases, Gatekeeper gatekeeper, RandomGenerator random) {
    this.databases = databases;
    this.gatekeeper = gatekeeper;
    this.random = random;
  }

  /**
   * Creates a document and answers with it.
   *
   * @param reserve sees the answer before the write counts, and throws if it could not be sent
   */
  public Document create(
      AuthContext who, CreateDocumentRequest request, Consumer<Document> reserve) {
    ParentName parent = ParentName.parse(request.getParent());
    String id = request.getDocumentId().isEmpty() ? randomId() : request.getDocumentId();
    DocumentName name = parent.document(request.getCollectionId(), id);
    Write write = Write.newBuilder()
        .setUpdate(request.getDocument().toBuilder().setName(name.toString()))
        .setCurrentDocument(Precondition.newBuilder().setExists(false))
        .build();
    return apply(
        who, name.database(), write, Answer.of(request.hasMask(), request.getMask(), reserve));
  }

  /**
   * Updates a document and answers with what it is then.
   *
   * @param reserve sees the answer before the write counts, and throws if it could not be sent
   */
  public Document update(
      AuthContext who, UpdateDocumentRequest request, Consumer<Document> reserve) {
    DocumentName name = DocumentName.parse(request.getDocument().getName());
    Write.Builder write = Write.newBuilder()
        .setUpdate(request.getDocument())
        .setCurrentDocument(request.getCurrentDocument());
    if (request.hasUpdateMask()) {
      write.setUpdateMask(request.getUpdateMask());
    }
    return apply(
        who,
        name.database(),
        write.build(),
        Answer.of(request.hasMask(), request.getMask(), reserve));
  }

  /** Deletes a document, if it is as the request expects. */
  public void delete(AuthContext who, DeleteDocumentRequest request) {
    DocumentName name = DocumentName.parse(request.getName());
    apply(
        who,
        name.database(),
        Write.newBuilder()
            .setDelete(request.getName())
            .setCurrentDocument(request.getCurrentDocument())
            .build(),
        Answer.NONE);
  }

  /**
   * What is made of the document for whoever wrote it. All that can go wrong with it does so before the write counts: a
   * client that is refused must be able to believe that nothing has happened.
   */
  private record Answer(UnaryOperator<Document> shape, Consumer<Document> reserve) {
    static final Answer NONE = new Answer(document -> document, document -> {});

    static Answer of(boolean hasMask, DocumentMask mask, Consumer<Document> reserve) {
      if (!hasMask) {
        return new Answer(document -> document, reserve);
      }
      List<FieldPath> paths = Masks.parse(mask);
      return new Answer(document -> Masks.project(document, paths), reserve);
    }

    Document to(Document written) {
      Document answer = shape.apply(written);
      reserve.accept(answer);
      return answer;
    }
  }

  private Document apply(AuthContext who, DatabaseName database, Write write, Answer answer) {
    AtomicReference<Document> after = new AtomicReference<>(Document.getDefaultInstance());
    CommitGate allowed = gatekeeper.commitGate(who, database);
    Served served = databases.get(database);
    served
        .transactions()
        .commit(
            ByteString.EMPTY, List.of(served.planner().plan(write)), (present, micros, staged) -> {
              allowed.check(present, micros, staged);
              StagedWrite only = staged.get(0);
              if (only.after() != null) {
                after.set(answer.to(only.after()));
              }
            });
    return Objects.requireNonNull(after.get());
  }

  private String randomId() {
    StringBuilder id = new StringBuilder();
    for (int i = 0; i < ID_LENGTH; i++) {
      id.append(ID_CHARACTERS.charAt(random.nextInt(ID_CHARACTERS.length())));
    }
    return id.toString();
  }
}
