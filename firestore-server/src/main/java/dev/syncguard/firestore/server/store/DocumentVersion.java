package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import org.jspecify.annotations.Nullable;

/** One state of a document, from its commit until the next one; without a document, the time it did not exist. */
final class DocumentVersion {
  final long micros;
  final @Nullable Document document;

  @Nullable
  DocumentVersion older;

  DocumentVersion(long micros, @Nullable Document document, @Nullable DocumentVersion older) {
    this.micros = micros;
    this.document = document;
    this.older = older;
  }
}
