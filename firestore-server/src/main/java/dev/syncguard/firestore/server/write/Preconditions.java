package dev.syncguard.firestore.server.write;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Precondition;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.value.Times;
import org.jspecify.annotations.Nullable;

/** What a write demands of the document that is there. */
final class Preconditions {
  private Preconditions() {}

  /** Refuses a precondition that can never be judged. */
  static void validate(Precondition precondition) {
    if (precondition.hasUpdateTime()) {
      Times.alignedMicros(precondition.getUpdateTime(), "The update_time of a precondition");
    }
  }

  /** Refuses the write unless the document is as demanded. */
  static void check(
      Precondition precondition, DocumentName name, @Nullable Document present, long now) {
    switch (precondition.getConditionTypeCase()) {
      case EXISTS -> {
        if (precondition.getExists() && present == null) {
          throw FirestoreServerException.notFound("No document to update: " + name);
        }
        if (!precondition.getExists() && present != null) {
          throw new FirestoreServerException(
              Code.ALREADY_EXISTS, "Document already exists: " + name);
        }
      }
      case UPDATE_TIME -> {
        long required = Times.micros(precondition.getUpdateTime());
        if (required > now) {
          throw FirestoreServerException.invalid(
              "The update_time of a precondition lies in the future.");
        }
        long stored = present == null ? 0 : Times.micros(present.getUpdateTime());
        if (required != stored || present == null) {
          throw FirestoreServerException.failedPrecondition("the stored version (" + stored
              + ") does not match the required base version (" + required + ")");
        }
      }
      case CONDITIONTYPE_NOT_SET -> {}
    }
  }
}
