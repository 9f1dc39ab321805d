package dev.syncguard.firestore.server.transaction;

import dev.syncguard.firestore.server.name.DocumentName;

/** A claim on a document, or on all collections of one id. */
record Lock(String resource, Mode mode) {
  enum Mode {
    /** Others may read, nobody may write. */
    SHARED,
    /** Others may write other documents, nobody may hold all of them still. */
    INTENT,
    /** Nobody else may do anything. */
    EXCLUSIVE;

    boolean allows(Mode other) {
      return this == other && this != EXCLUSIVE;
    }
  }

  static Lock readDocument(DocumentName name) {
    return new Lock(name.path(), Mode.SHARED);
  }

  /** A query sees what is not there, too: while it counts, no document may come, go or change anywhere in the group. */
  static Lock readGroup(String collectionId) {
    return new Lock(group(collectionId), Mode.SHARED);
  }

  static Lock writeDocument(DocumentName name) {
    return new Lock(name.path(), Mode.EXCLUSIVE);
  }

  static Lock writeGroup(String collectionId) {
    return new Lock(group(collectionId), Mode.INTENT);
  }

  // No document path starts with a slash.
  private static String group(String collectionId) {
    return "/" + collectionId;
  }
}
