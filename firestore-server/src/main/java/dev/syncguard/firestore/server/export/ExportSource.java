package dev.syncguard.firestore.server.export;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.ListDocumentsRequest;
import com.google.firestore.v1.ListDocumentsResponse;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.operation.DocumentLists;
import dev.syncguard.firestore.server.operation.Gatekeeper;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.value.Times;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;

/**
 * All documents of a database as they were at one moment, collection by collection and in the pages that a client would ask
 * for. Writers go on meanwhile, and only one page is in memory beyond what the database keeps. Not thread-safe.
 */
final class ExportSource {
  private static final int PAGE = 300;

  private final DocumentLists lists;
  private final Database database;
  private final long micros;
  /** The paths of collections that are still to be read; the first one may be read in part. */
  private final Deque<String> collections = new ArrayDeque<>();

  private String token = "";

  ExportSource(Databases databases, DatabaseName name) {
    this.lists =
        new DocumentLists(databases, new Gatekeeper(Authorizer.ownerOnly()), IndexCheck.NONE);
    this.database = databases.get(name).database();
    this.micros = database.read(Snapshot::micros);
    descend(List.of(""));
  }

  /** Returns the next documents, or none when all have been returned. */
  List<Document> next() {
    while (!collections.isEmpty()) {
      String path = collections.getFirst();
      ListDocumentsResponse page = lists.list(new AuthContext.Owner(), request(path));
      boolean first = token.isEmpty();
      token = page.getNextPageToken();
      if (token.isEmpty()) {
        collections.removeFirst();
      }
      descend(page.getDocumentsList().stream()
          .map(document -> DocumentName.parse(document.getName()).path())
          .toList());
      if (first) {
        descend(missing(path));
      }
      if (page.getDocumentsCount() > 0) {
        return page.getDocumentsList();
      }
    }
    return List.of();
  }

  private ListDocumentsRequest request(String path) {
    int slash = path.lastIndexOf('/');
    ParentName parent = new ParentName(database.name(), slash < 0 ? "" : path.substring(0, slash));
    return ListDocumentsRequest.newBuilder()
        .setParent(parent.toString())
        .setCollectionId(path.substring(slash + 1))
        .setPageSize(PAGE)
        .setPageToken(token)
        .setReadTime(Times.timestamp(micros))
        .build();
  }

  /** Adds the collections directly below these documents. */
  private void descend(List<String> documents) {
    database.read(OptionalLong.of(micros), snapshot -> {
      for (String path : documents) {
        ParentName parent = new ParentName(database.name(), path);
        snapshot
            .collectionIds(parent)
            .forEach(id -> collections.addLast(parent.collectionPath(id)));
      }
      return collections;
    });
  }

  /** Returns the documents of a collection that do not exist, but have something below them. */
  private List<String> missing(String collectionPath) {
    return database.read(
        OptionalLong.of(micros),
        snapshot -> snapshot.missingDocuments(collectionPath).stream()
            .map(id -> collectionPath + "/" + id)
            .toList());
  }
}
