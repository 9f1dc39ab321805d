package dev.syncguard.firestore.server.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.syncguard.firestore.server.name.DatabaseName;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Who is told of what happens to which documents.
 *
 * @param database whose documents it is about; nothing for those of every database
 */
public record Trigger(
    DocumentEvent.Kind kind,
    Optional<DatabaseName> database,
    PathPattern pattern,
    TriggerListener listener) {
  /** Refuses what is missing. */
  public Trigger {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(database, "database");
    Objects.requireNonNull(pattern, "pattern");
    Objects.requireNonNull(listener, "listener");
  }

  /** Makes a trigger for documents of every database. */
  public Trigger(DocumentEvent.Kind kind, PathPattern pattern, TriggerListener listener) {
    this(kind, Optional.empty(), pattern, listener);
  }

  /** Returns what tells it from others also in the next run; listeners of one path are told apart by their order. */
  String identity() {
    String text = kind + " " + database + " " + pattern + " "
        + (listener instanceof Webhook webhook ? webhook.identity() : "");
    return UUID.nameUUIDFromBytes(text.getBytes(UTF_8)).toString(); // an address may hold a secret
  }

  boolean isAbout(DocumentEvent event) {
    return (kind == DocumentEvent.Kind.WRITTEN || kind == event.kind())
        && database.map(event.name().database()::equals).orElse(true);
  }
}
