package dev.syncguard.firestore.server.listen;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.operation.Gatekeeper;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.store.Topic;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Documents given by name. */
final class DocumentsWatch implements WatchedTarget {
  private final Gatekeeper gatekeeper;
  private final AuthContext who;
  private final DatabaseName database;
  private final Set<String> names;

  DocumentsWatch(
      Gatekeeper gatekeeper, AuthContext who, DatabaseName database, List<String> names) {
    this.gatekeeper = gatekeeper;
    this.who = who;
    this.database = database;
    this.names = new LinkedHashSet<>(names);
    for (String name : this.names) {
      if (!DocumentName.parse(name).database().equals(database)) {
        throw FirestoreServerException.invalid(
            "A document does not lie in the database of the request.");
      }
    }
  }

  @Override
  public Set<DocumentName> authorize(Snapshot snapshot) {
    return gatekeeper.checkGet(
        who, database, names.stream().map(DocumentName::parse).toList(), snapshot);
  }

  @Override
  public void find(Snapshot snapshot, Consumer<Document> found) {
    for (String name : names) {
      Document document = snapshot.get(DocumentName.parse(name));
      if (document != null) {
        found.accept(document);
      }
    }
  }

  @Override
  public Set<Topic> topics() {
    return names.stream()
        .map(name -> new Topic.OneDocument(DocumentName.parse(name).path()))
        .collect(Collectors.toSet());
  }

  @Override
  public List<String> expectedNames() {
    return List.copyOf(names);
  }

  @Override
  public boolean isIndependent() {
    return true;
  }

  @Override
  public boolean contains(Document document) {
    return names.contains(document.getName());
  }

  @Override
  public Document project(Document document) {
    return document;
  }
}
