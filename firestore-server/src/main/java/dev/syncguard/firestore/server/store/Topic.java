package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Value;
import com.google.protobuf.ByteString;
import dev.syncguard.firestore.server.value.FieldPath;

/** What commits can be about, for those who want to be told of some of them only. */
public sealed interface Topic {
  /** All documents. */
  record Everything() implements Topic {}

  /** The document at a path, whether it exists or not. */
  record OneDocument(String path) implements Topic {}

  /** The documents directly in the collection at a path. */
  record OneCollection(String path) implements Topic {}

  /** The documents of all collections of an id. */
  record Group(String collectionId) implements Topic {}

  /**
   * Those documents of another topic that have a value in a field, before a commit or after it.
   *
   * @param key the same for all values that queries take for equal
   */
  record WithValue(Topic of, FieldPath field, ByteString key) implements Topic {}

  /** Returns those of these documents that have the value in the field. */
  default Topic with(FieldPath field, Value value) {
    return new WithValue(this, field, ValueKeys.key(value));
  }
}
