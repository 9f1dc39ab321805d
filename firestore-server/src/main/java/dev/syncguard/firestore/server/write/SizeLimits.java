package dev.syncguard.firestore.server.write;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.value.ValueSizes;
import java.util.Map;

/** How large a document may be, and a request that brings it. */
public record SizeLimits(int documentBytes, int requestBytes) {
  /** What every published edition of Firestore accepts. */
  public static final SizeLimits STANDARD = new SizeLimits(1 << 20, 16 << 20);

  /** What Google's tests of large documents expect; room for one that is a little too large, so that it can be told. */
  public static final SizeLimits LARGE = new SizeLimits(16 << 20, 32 << 20);

  private static final int OVERHEAD = 32;
  private static final int BESIDE_A_VALUE = 89;

  /** Returns how large one string or one piece of bytes may be. */
  int valueBytes() {
    return documentBytes - BESIDE_A_VALUE;
  }

  void check(DocumentName name, Map<String, Value> fields) {
    long size = ValueSizes.ofName(name.path()) + ValueSizes.ofFields(fields) + OVERHEAD;
    if (size > documentBytes) {
      throw FirestoreServerException.invalid(
          "Document '" + name + "' cannot be written because its size (" + size
              + " bytes) exceeds the maximum allowed size of " + documentBytes + " bytes.");
    }
  }
}
