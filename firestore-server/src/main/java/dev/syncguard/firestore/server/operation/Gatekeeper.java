package dev.syncguard.firestore.server.operation;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredQuery;
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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts every access to the authorizer, in the words of the snapshot it happens in. Threads may share it. */
public final class Gatekeeper {
  private final Authorizer authorizer;

  public Gatekeeper(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  void checkGet(
      AuthContext who, DocumentName name, @Nullable Document document, Snapshot snapshot) {
    authorizer.authorize(
        who, new Access.Get(name, Optional.ofNullable(document), lookup(snapshot), time(snapshot)));
  }

  /** Refuses unless whoever asks may see what the query finds. */
  public void checkFind(
      AuthContext who, ParentName parent, StructuredQuery query, Snapshot snapshot) {
    authorizer.authorize(who, new Access.Find(parent, query, lookup(snapshot), time(snapshot)));
  }

  void checkAdministration(AuthContext who, DatabaseName database, String action) {
    authorizer.authorize(who, new Access.Administer(database, action));
  }

  CommitGate commitGate(AuthContext who) {
    return (present, writes) -> {
      Map<DocumentName, Optional<Document>> after = new HashMap<>();
      writes.forEach(write -> after.put(write.write().name(), Optional.ofNullable(write.after())));
      Lookup before = lookup(present);
      authorizer.authorize(
          who,
          new Access.Commit(
              writes.stream().map(Gatekeeper::write).toList(),
              before,
              name -> after.containsKey(name)
                  ? after.getOrDefault(name, Optional.empty())
                  : before.find(name),
              time(present)));
    };
  }

  private static Access.Write write(StagedWrite staged) {
    return new Access.Write(
        staged.write().name(),
        Optional.ofNullable(staged.before()),
        Optional.ofNullable(staged.after()));
  }

  private static Lookup lookup(Snapshot snapshot) {
    return name -> Optional.ofNullable(snapshot.get(name));
  }

  private static Instant time(Snapshot snapshot) {
    return Instant.EPOCH.plus(snapshot.micros(), ChronoUnit.MICROS);
  }

  /** A document that may be seen, or its absence. */
  public record Judged(DocumentName name, @Nullable Document document) {}

  /** Reads documents that whoever asks may see, or refuses all of them. */
  public List<Judged> readAll(AuthContext who, List<DocumentName> names, Snapshot snapshot) {
    return names.stream()
        .map(name -> {
          Document document = snapshot.get(name);
          checkGet(who, name, document, snapshot);
          return new Judged(name, document);
        })
        .toList();
  }
}
