package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import com.google.protobuf.InvalidProtocolBufferException;
import org.jspecify.annotations.Nullable;

/** One past state of a document, from its commit until the next one; without bytes, the time it did not exist. */
final class DocumentVersion {
  /** What a version takes of the heap beside its bytes: this object, the array's header, and its place in the history. */
  private static final int OVERHEAD = 112;

  final long micros;
  private final byte @Nullable [] bytes;

  @Nullable
  DocumentVersion older;

  @Nullable
  DocumentVersion newer;

  DocumentVersion(long micros, @Nullable Document document, @Nullable DocumentVersion older) {
    this.micros = micros;
    this.bytes = document == null ? null : document.toByteArray();
    this.older = older;
  }

  @Nullable
  Document document() {
    try {
      return bytes == null ? null : Document.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("These bytes were a document", e);
    }
  }

  /** Returns how much of the heap the version takes. */
  int heapBytes() {
    return OVERHEAD + (bytes == null ? 0 : bytes.length);
  }
}
