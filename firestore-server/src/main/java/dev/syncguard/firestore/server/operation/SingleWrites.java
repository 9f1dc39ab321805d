package dev.syncguard.firestore.server.operation;

import com.google.firestore.v1.CreateDocumentRequest;
import com.google.firestore.v1.DeleteDocumentRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.Precondition;
import com.google.firestore.v1.UpdateDocumentRequest;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.StagedWrite;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/** Writes of one document that answer with the document. Threads may share it. */
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

  public Document create(AuthContext who, CreateDocumentRequest request) {
    ParentName parent = ParentName.parse(request.getParent());
    String id = request.getDocumentId().isEmpty() ? randomId() : request.getDocumentId();
    DocumentName name = parent.document(request.getCollectionId(), id);
    Write write = Write.newBuilder()
        .setUpdate(request.getDocument().toBuilder().setName(name.toString()))
        .setCurrentDocument(Precondition.newBuilder().setExists(false))
        .build();
    Document created = apply(who, name.database(), write);
    return DocumentReads.masked(created, request.hasMask(), request.getMask());
  }

  public Document update(AuthContext who, UpdateDocumentRequest request) {
    DocumentName name = DocumentName.parse(request.getDocument().getName());
    Write.Builder write = Write.newBuilder()
        .setUpdate(request.getDocument())
        .setCurrentDocument(request.getCurrentDocument());
    if (request.hasUpdateMask()) {
      write.setUpdateMask(request.getUpdateMask());
    }
    Document updated = apply(who, name.database(), write.build());
    return DocumentReads.masked(updated, request.hasMask(), request.getMask());
  }

  public void delete(AuthContext who, DeleteDocumentRequest request) {
    DocumentName name = DocumentName.parse(request.getName());
    apply(
        who,
        name.database(),
        Write.newBuilder()
            .setDelete(request.getName())
            .setCurrentDocument(request.getCurrentDocument())
            .build());
  }

  private Document apply(AuthContext who, DatabaseName database, Write write) {
    AtomicReference<Document> after = new AtomicReference<>(Document.getDefaultInstance());
    CommitGate allowed = gatekeeper.commitGate(who, database);
    databases
        .get(database)
        .transactions()
        .commit(
            ByteString.EMPTY,
            List.of(new WritePlanner(database).plan(write)),
            (present, micros, staged) -> {
              allowed.check(present, micros, staged);
              StagedWrite only = staged.get(0);
              if (only.after() != null) {
                after.set(only.after());
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
