package dev.syncguard.firestore.server.webchannel;

import com.google.protobuf.Message;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.rest.Json;

/** The messages of clients as JSON. */
final class ClientMessages {
  static final int MAX_LENGTH = 16 << 20;

  private ClientMessages() {}

  /**
   * Reads a message. One that is too long fails like any other that is wrong, and not the request that has carried it: that
   * would be sent again for ever.
   */
  static <B extends Message.Builder> B parse(String json, B into) {
    if (json.length() > MAX_LENGTH) {
      throw FirestoreServerException.invalid(
          "The message is longer than " + MAX_LENGTH + " characters.");
    }
    return Json.parse(json, into);
  }
}
