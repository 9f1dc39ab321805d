package dev.syncguard.firestore.server.export;

/** The numbers of the fields of the messages that an entity consists of. */
final class EntityFields {
  static final int KEY = 13;
  static final int INDEXED = 14;
  static final int UNINDEXED = 15;
  static final int ENTITY_GROUP = 16;

  static final int PROPERTY_MEANING = 1;
  static final int PROPERTY_NAME = 3;
  static final int PROPERTY_MULTIPLE = 4;
  static final int PROPERTY_VALUE = 5;

  static final int VALUE_INTEGER = 1;
  static final int VALUE_BOOLEAN = 2;
  static final int VALUE_STRING = 3;
  static final int VALUE_DOUBLE = 4;
  static final int VALUE_POINT = 5;
  static final int POINT_LATITUDE = 6;
  static final int POINT_LONGITUDE = 7;
  static final int VALUE_REFERENCE = 12;

  private EntityFields() {}
}
