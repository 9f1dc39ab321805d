package dev.syncguard.firestore.server.export;

/** The numbers that tell what the value of a property means beyond its type. */
final class Meaning {
  static final int NONE = 0;
  static final int TIMESTAMP = 7;
  static final int GEO_POINT = 9;
  static final int BYTES = 14;
  /** Bytes in exports of long ago. */
  static final int BYTE_STRING = 16;

  static final int ENTITY = 19;
  static final int EMPTY_LIST = 24;
  /** An element of a vector. */
  static final int VECTOR = 31;

  private Meaning() {}
}
