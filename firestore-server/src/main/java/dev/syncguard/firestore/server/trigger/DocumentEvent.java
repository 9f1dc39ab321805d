package dev.syncguard.firestore.server.trigger;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DocumentName;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What one commit did to one document. It may be told more than once, always with the same id.
 *
 * @param id differs between any two events
 * @param parameters what the names in the pattern of the trigger stand for
 */
public record DocumentEvent(
    String id,
    Instant time,
    DocumentName name,
    Map<String, String> parameters,
    Optional<Document> before,
    Optional<Document> after) {
  public DocumentEvent {
    parameters = Map.copyOf(parameters);
  }

  /** What a trigger is about. */
  public enum Kind {
    /** A document is there that was not. */
    CREATED,
    /** A document has other fields than before. */
    UPDATED,
    /** A document is no longer there. */
    DELETED,
    /** Any of the others. */
    WRITTEN;

    /** Returns the type of the event in CloudEvents. */
    public String cloudEventType() {
      return "google.cloud.firestore.document.v1." + name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns what has happened; never {@link Kind#WRITTEN}. */
  public Kind kind() {
    if (before.isEmpty()) {
      return Kind.CREATED;
    }
    return after.isEmpty() ? Kind.DELETED : Kind.UPDATED;
  }
}
