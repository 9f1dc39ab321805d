package dev.syncguard.firestore.server.operation;

import com.google.firestore.v1.BatchWriteRequest;
import com.google.firestore.v1.BatchWriteResponse;
import com.google.firestore.v1.BeginTransactionRequest;
import com.google.firestore.v1.BeginTransactionResponse;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.RollbackRequest;
import com.google.firestore.v1.Write;
import com.google.firestore.v1.WriteResult;
import com.google.rpc.Status;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.operation.Databases.Served;
import dev.syncguard.firestore.server.store.CommitResult;
import dev.syncguard.firestore.server.value.Times;
import dev.syncguard.firestore.server.write.PlannedWrite;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Commits, batches and the life of transactions. Thread-safe. */
public final class Commits {
  private final Databases databases;
  private final Gatekeeper gatekeeper;

  /** Creates commits to these databases, of which the gatekeeper must approve. */
  public Commits(Databases databases, Gatekeeper gatekeeper) {
    this.databases = databases;
    this.gatekeeper = gatekeeper;
  }

  /** Begins a transaction. */
  public BeginTransactionResponse begin(AuthContext who, BeginTransactionRequest request) {
    DatabaseName database = DatabaseName.parse(request.getDatabase());
    Served served = databases.get(database);
    return BeginTransactionResponse.newBuilder()
        .setTransaction(
            served.transactions().begin(gatekeeper.checked(who, database, request.getOptions())))
        .build();
  }

  /** Ends a transaction without writing anything. */
  public void rollback(RollbackRequest request) {
    databases
        .get(DatabaseName.parse(request.getDatabase()))
        .transactions()
        .rollback(request.getTransaction());
  }

  /** Applies all writes at once, or none. */
  public CommitResponse commit(AuthContext who, CommitRequest request) {
    DatabaseName database = DatabaseName.parse(request.getDatabase());
    Served served = databases.get(database);
    List<PlannedWrite> writes = served.planner().plan(request.getWritesList());
    CommitResult result = served
        .transactions()
        .commit(request.getTransaction(), writes, gatekeeper.commitGate(who, database));
    return CommitResponse.newBuilder()
        .addAllWriteResults(result.results())
        .setCommitTime(Times.timestamp(result.micros()))
        .build();
  }

  /** Applies each write on its own and answers for each. If one is invalid, none is applied. */
  public BatchWriteResponse batchWrite(AuthContext who, BatchWriteRequest request) {
    DatabaseName database = DatabaseName.parse(request.getDatabase());
    gatekeeper.checkAdministration(who, database, "Batch writes");
    requireDistinct(request.getWritesList());
    // All are applied before the first is waited for, so that they reach the disk together.
    WritePlanner planner = databases.get(database).planner();
    List<PlannedWrite> writes =
        request.getWritesList().stream().map(planner::plan).toList();
    List<Supplier<CommitResult>> pending =
        writes.stream().map(write -> start(who, database, write)).toList();
    BatchWriteResponse.Builder response = BatchWriteResponse.newBuilder();
    for (Supplier<CommitResult> commit : pending) {
      try {
        response
            .addWriteResults(commit.get().results().get(0))
            .addStatus(Status.getDefaultInstance());
      } catch (FirestoreServerException e) {
        response
            .addWriteResults(WriteResult.getDefaultInstance())
            .addStatus(Status.newBuilder()
                .setCode(e.code().getNumber())
                .setMessage(String.valueOf(e.getMessage())));
      }
    }
    return response.build();
  }

  private Supplier<CommitResult> start(AuthContext who, DatabaseName database, PlannedWrite write) {
    try {
      return databases
          .get(database)
          .transactions()
          .startAlone(List.of(write), gatekeeper.commitGate(who, database))::await;
    } catch (FirestoreServerException e) {
      return () -> {
        throw e;
      };
    }
  }

  private static void requireDistinct(List<Write> writes) {
    Set<String> names = new HashSet<>();
    for (Write write : writes) {
      String name = switch (write.getOperationCase()) {
        case UPDATE -> write.getUpdate().getName();
        case DELETE -> write.getDelete();
        case TRANSFORM -> write.getTransform().getDocument();
        case OPERATION_NOT_SET -> "";
      };
      if (!name.isEmpty() && !names.add(DocumentName.parse(name).path())) {
        throw FirestoreServerException.invalid(
            "the same document cannot be written more than once in a single request");
      }
    }
  }
}
