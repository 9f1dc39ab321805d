package dev.syncguard.firestore.server.name;

import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.value.PathOrder;

/** The full name of a document: its database and the path of ids from the root. */
public record DocumentName(DatabaseName database, String path) implements Comparable<DocumentName> {
  /** Returns the document of a full name, refusing one that breaks a rule for names. */
  public static DocumentName parse(String name) {
    ParentName parsed = ParentName.parse(name);
    if (parsed.isRoot()) {
      throw FirestoreServerException.invalid(
          "The name of the database is not the name of a document.");
    }
    return new DocumentName(parsed.database(), parsed.path());
  }

  /** Returns the path of the collection that the document is in. */
  public String collectionPath() {
    return path.substring(0, path.lastIndexOf('/'));
  }

  /** Returns the last segment of the collection's path. */
  public String collectionId() {
    String collection = collectionPath();
    return collection.substring(collection.lastIndexOf('/') + 1);
  }

  /** Returns the id of the document within its collection. */
  public String id() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  @Override
  public int compareTo(DocumentName other) {
    return PathOrder.comparePaths(path, other.path);
  }

  @Override
  public String toString() {
    return database.documents() + "/" + path;
  }
}
