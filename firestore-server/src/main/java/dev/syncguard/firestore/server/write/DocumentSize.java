package dev.syncguard.firestore.server.write;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.value.ValueSizes;
import java.util.Map;

/** The limit on the size of one document. */
final class DocumentSize {
  private static final long MAX_BYTES = 1 << 20;
  private static final int OVERHEAD = 32;

  private DocumentSize() {}

  static void check(DocumentName name, Map<String, Value> fields) {
    long size = ValueSizes.ofName(name.path()) + ValueSizes.ofFields(fields) + OVERHEAD;
    if (size > MAX_BYTES) {
      throw FirestoreServerException.invalid(
          "Document '" + name + "' cannot be written because its size (" + size
              + " bytes) exceeds the maximum allowed size of " + MAX_BYTES + " bytes.");
    }
  }
}
