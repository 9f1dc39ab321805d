package dev.syncguard.firestore.server.name;

import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.value.Utf8Order;

/** What collections can hang below: a document, or with an empty path the root of the database. */
public record ParentName(DatabaseName database, String path) {
  private static final int MAX_BYTES = 6 * 1024;
  private static final int MAX_DEPTH = 100;

  /** Returns the parent of a full name that ends in {@code /documents} or in a document's path. */
  public static ParentName parse(String name) {
    int marker = fourthSlash(name);
    int end = marker + "/documents".length();
    if (marker < 0
        || !name.startsWith("/documents", marker)
        || (end < name.length() && name.charAt(end) != '/')) {
      throw FirestoreServerException.invalid(
          "Invalid resource name: it must start with projects/{project}/databases/{database}/documents.");
    }
    DatabaseName database = DatabaseName.parse(name.substring(0, marker));
    String path = end == name.length() ? "" : name.substring(end + 1);
    check(name, path, end == name.length());
    return new ParentName(database, path);
  }

  /** Returns where the database ends, or a negative number if there is no such place. */
  private static int fourthSlash(String name) {
    int slash = name.indexOf('/');
    for (int i = 1; i < 4 && slash >= 0; i++) {
      slash = name.indexOf('/', slash + 1);
    }
    return slash;
  }

  private static void check(String name, String path, boolean root) {
    if (root) {
      return;
    }
    if (Utf8Order.size(name) > MAX_BYTES) {
      throw FirestoreServerException.invalid(
          "Resource name is longer than " + MAX_BYTES + " bytes.");
    }
    String[] ids = path.split("/", -1);
    if (ids.length % 2 != 0) {
      throw FirestoreServerException.invalid(
          "Document parent name \"" + name + "\" lacks \"/\" at index " + name.length() + ".");
    }
    if (ids.length > 2 * MAX_DEPTH) {
      throw FirestoreServerException.invalid(
          "Documents can lie at most " + MAX_DEPTH + " collections deep.");
    }
    for (int i = 0; i < ids.length; i++) {
      Ids.check(ids[i], i % 2 == 0 ? Ids.COLLECTION : Ids.DOCUMENT);
    }
  }

  /** Returns whether collections below it are the top ones. */
  public boolean isRoot() {
    return path.isEmpty();
  }

  /** Returns the path of a collection below this parent. */
  public String collectionPath(String collectionId) {
    if (collectionId.indexOf('/') >= 0) {
      throw FirestoreServerException.invalid(
          "Collection id \"" + collectionId + "\" is invalid because it contains \"/\".");
    }
    Ids.check(collectionId, Ids.COLLECTION);
    return isRoot() ? collectionId : path + "/" + collectionId;
  }

  /** Returns the document of a collection below this parent. */
  public DocumentName document(String collectionId, String documentId) {
    return DocumentName.parse(
        database.documents() + "/" + collectionPath(collectionId) + "/" + documentId);
  }

  @Override
  public String toString() {
    return isRoot() ? database.documents() : database.documents() + "/" + path;
  }
}
