package dev.syncguard.firestore.server.store;

import org.jspecify.annotations.Nullable;

/** Documents that share their indexes: those directly in one collection, or all below documents in collections of one id. */
interface Scope {
  String collectionId();

  /** Returns what the keys of names start with, before what {@link #writeKey} writes. */
  byte[] names();

  /** Returns what the keys of the names of all these documents start with. */
  byte[] ownNames();

  /** Returns what the keys of index entries start with. */
  byte[] indexes();

  /** Returns where a document of this path stands or would stand among the others, or null if outside of them. */
  @Nullable
  String keyOf(String documentPath);

  /** Returns whether a document of this path is in the scope. */
  boolean holds(String documentPath);

  /** Writes what {@link #keyOf} returned. */
  void writeKey(String key, KeyWriter out);

  /** Returns the path of a document whose key starts here. */
  String path(KeyReader in);

  /** The documents directly in one collection. */
  record OneCollection(String collectionPath) implements Scope {
    @Override
    public String collectionId() {
      return collectionPath.substring(collectionPath.lastIndexOf('/') + 1);
    }

    @Override
    public byte[] names() {
      return Keys.documentsIn(collectionPath);
    }

    @Override
    public byte[] ownNames() {
      return names();
    }

    @Override
    public byte[] indexes() {
      return Keys.collectionIndexes(collectionPath);
    }

    @Override
    public @Nullable String keyOf(String documentPath) {
      return holds(documentPath) ? documentPath.substring(collectionPath.length() + 1) : null;
    }

    @Override
    public boolean holds(String documentPath) {
      return documentPath.lastIndexOf('/') == collectionPath.length()
          && documentPath.startsWith(collectionPath);
    }

    @Override
    public void writeKey(String key, KeyWriter out) {
      out.id(key);
    }

    @Override
    public String path(KeyReader in) {
      return collectionPath + "/" + in.id();
    }
  }

  /**
   * The documents below documents in collections of one id.
   *
   * @param parentPath the document that all of them lie below, or empty
   */
  record Group(String collectionId, String parentPath) implements Scope {
    @Override
    public byte[] names() {
      return Keys.names(collectionId);
    }

    @Override
    public byte[] ownNames() {
      return Keys.name(collectionId, parentPath);
    }

    @Override
    public byte[] indexes() {
      return Keys.groupIndexes(collectionId);
    }

    @Override
    public String keyOf(String documentPath) {
      return documentPath;
    }

    @Override
    public boolean holds(String documentPath) {
      int end = documentPath.lastIndexOf('/');
      int start = documentPath.lastIndexOf('/', end - 1);
      return start > 0
          && documentPath.regionMatches(start + 1, collectionId, 0, collectionId.length())
          && end - start - 1 == collectionId.length()
          && (parentPath.isEmpty() || documentPath.startsWith(parentPath + "/"));
    }

    @Override
    public void writeKey(String key, KeyWriter out) {
      out.path(key);
    }

    @Override
    public String path(KeyReader in) {
      return in.path();
    }
  }
}
