package dev.syncguard.firestore.server.operation;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.TransactionOptions;
import com.google.protobuf.Timestamp;
import dev.syncguard.firestore.server.auth.Access;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.auth.Lookup;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.store.StagedWrite;
import dev.syncguard.firestore.server.transaction.Reading;
import dev.syncguard.firestore.server.value.Times;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Puts every access to the authorizer, in the words of the snapshot it happens in. Thread-safe. */
public final class Gatekeeper {
  private final Authorizer authorizer;

  /** Creates a gatekeeper that asks this authorizer. */
  public Gatekeeper(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  /**
   * Refuses unless whoever asks may see all of these documents, or that they are missing. Returns the documents that this
   * depends on.
   */
  public Set<DocumentName> checkGet(
      AuthContext who, DatabaseName database, List<DocumentName> names, Snapshot snapshot) {
    Set<DocumentName> seen = new HashSet<>(names);
    authorizer.authorize(
        who,
        new Access.Get(
            database,
            names.stream()
                .map(name -> new Access.Read(name, Optional.ofNullable(snapshot.get(name))))
                .toList(),
            lookup(snapshot, seen),
            time(snapshot.micros())));
    return seen;
  }

  /** Refuses unless whoever asks may see what the query finds. Returns the documents that this depends on. */
  public Set<DocumentName> checkFind(
      AuthContext who, ParentName parent, StructuredQuery query, Snapshot snapshot) {
    Set<DocumentName> seen = new HashSet<>();
    authorizer.authorize(
        who, new Access.Find(parent, query, lookup(snapshot, seen), time(snapshot.micros())));
    return seen;
  }

  /** Returns whether this caller is judged at once, on a thread that must not wait. */
  boolean isPrompt(AuthContext who, DatabaseName database) {
    return authorizer.isPrompt(who, database);
  }

  void checkAdministration(AuthContext who, DatabaseName database, String action) {
    authorizer.authorize(who, new Access.Administer(database, action));
  }

  /** Returns how to read at an earlier time, unless that is not allowed. */
  Reading past(AuthContext who, DatabaseName database, Timestamp readTime) {
    authorizer.authorize(who, new Access.Past(database));
    return Reading.at(Times.alignedMicros(readTime, "read_time"));
  }

  /** Returns the options of a new transaction, unless it wants to read at an earlier time and that is not allowed. */
  TransactionOptions checked(AuthContext who, DatabaseName database, TransactionOptions options) {
    if (options.getReadOnly().hasReadTime()) {
      authorizer.authorize(who, new Access.Past(database));
    }
    return options;
  }

  CommitGate commitGate(AuthContext who, DatabaseName database) {
    return (present, micros, writes) -> {
      Map<DocumentName, Optional<Document>> after = new HashMap<>();
      writes.forEach(write -> after.put(write.write().name(), Optional.ofNullable(write.after())));
      Lookup before = lookup(present, new HashSet<>());
      authorizer.authorize(
          who,
          new Access.Commit(
              database,
              writes.stream().map(Gatekeeper::write).toList(),
              before,
              name -> after.containsKey(name)
                  ? after.getOrDefault(name, Optional.empty())
                  : before.find(name),
              // The same time as a transform stores, so that rules can insist on it.
              time(micros).truncatedTo(ChronoUnit.MILLIS)));
    };
  }

  private static Access.Write write(StagedWrite staged) {
    return new Access.Write(
        staged.write().name(),
        Optional.ofNullable(staged.before()),
        Optional.ofNullable(staged.after()),
        !staged.write().isVerify());
  }

  private static Lookup lookup(Snapshot snapshot, Set<DocumentName> seen) {
    return name -> {
      seen.add(name);
      return Optional.ofNullable(snapshot.get(name));
    };
  }

  private static Instant time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
