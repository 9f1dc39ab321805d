package dev.syncguard.firestore.server.name;

import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.value.PathOrder;
import dev.syncguard.firestore.server.value.Utf8Order;

/** What a collection or document may be called. */
final class Ids {
  /** What an id is of, as Firestore words it. */
  static final String COLLECTION = "Collection id";

  static final String DOCUMENT = "Resource id";

  private static final int MAX_BYTES = 1500;

  private Ids() {}

  static void check(String id, String what) {
    if (id.isEmpty()) {
      throw FirestoreServerException.invalid(what + " must not be empty.");
    }
    if (id.equals(".") || id.equals("..")) {
      throw FirestoreServerException.invalid(what + " must not be \".\" or \"..\".");
    }
    if (Utf8Order.size(id) > MAX_BYTES) {
      throw FirestoreServerException.invalid("The key path element "
          + (what.equals(COLLECTION) ? "kind" : "name")
          + " is longer than "
          + MAX_BYTES
          + " bytes.");
    }
    if (id.startsWith("__") && id.endsWith("__") && id.length() >= 4 && !PathOrder.isNumeric(id)) {
      throw FirestoreServerException.invalid(
          what.equals(DOCUMENT) && id.startsWith("__id")
              ? "A long document ID string must be formatted like '__id{LONG}__', not \"" + id
                  + "\"."
              : what + " \"" + id + "\" is invalid because it is reserved.");
    }
    requireWellFormed(id, what);
  }

  private static void requireWellFormed(String id, String what) {
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < id.length()
          && Character.isLowSurrogate(id.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        throw FirestoreServerException.invalid(what + " is not valid UTF-8 text.");
      }
    }
  }
}
