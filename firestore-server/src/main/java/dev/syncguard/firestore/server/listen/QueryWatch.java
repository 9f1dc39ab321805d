package dev.syncguard.firestore.server.listen;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Target.QueryTarget;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.operation.Gatekeeper;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.query.Query;
import dev.syncguard.firestore.server.query.QueryRun;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.store.Topic;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The results of a query. */
final class QueryWatch implements WatchedTarget {
  private final Gatekeeper gatekeeper;
  private final AuthContext who;
  private final ParentName parent;
  private final QueryTarget target;
  private final Query query;

  QueryWatch(Gatekeeper gatekeeper, IndexCheck indexes, AuthContext who, QueryTarget target) {
    this.gatekeeper = gatekeeper;
    this.who = who;
    this.parent = ParentName.parse(target.getParent());
    this.target = target;
    this.query = Query.of(parent, target.getStructuredQuery());
    if (target.getStructuredQuery().hasFindNearest()) {
      throw FirestoreServerException.invalid("FindNearest cannot be listened to.");
    }
    indexes.check(query);
  }

  ParentName parent() {
    return parent;
  }

  @Override
  public Set<DocumentName> authorize(Snapshot snapshot) {
    return gatekeeper.checkFind(who, parent, target.getStructuredQuery(), snapshot);
  }

  @Override
  public void find(Snapshot snapshot, Consumer<Document> found) {
    new QueryRun(query, snapshot).forEachRemaining(found);
  }

  @Override
  public Set<Topic> topics() {
    Topic all = query.collectionId().isEmpty()
        ? new Topic.Everything()
        : query.allDescendants()
            ? new Topic.Group(query.collectionId())
            : new Topic.OneCollection(parent.collectionPath(query.collectionId()));
    return query
        .fixedValues()
        .map(each -> each.stream()
            .map(fixed -> all.with(fixed.field(), fixed.value()))
            .collect(Collectors.toSet()))
        .orElse(Set.of(all));
  }

  @Override
  public List<String> expectedNames() {
    return List.of();
  }

  @Override
  public boolean isIndependent() {
    return !query.isWindow();
  }

  @Override
  public boolean contains(Document document) {
    return query.matches(document);
  }

  @Override
  public Document project(Document document) {
    return query.project(document);
  }
}
