package dev.syncguard.firestore.server.trigger;

import dev.syncguard.firestore.server.name.DatabaseName;
import java.util.Objects;
import java.util.Optional;

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

  boolean isAbout(DocumentEvent event) {
    return (kind == DocumentEvent.Kind.WRITTEN || kind == event.kind())
        && database.map(event.name().database()::equals).orElse(true);
  }
}
