package dev.syncguard.firestore.server.trigger;

import java.util.Objects;

/** Who is told of what happens to which documents. */
public record Trigger(DocumentEvent.Kind kind, PathPattern pattern, TriggerListener listener) {
  public Trigger {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(pattern, "pattern");
    Objects.requireNonNull(listener, "listener");
  }

  boolean isAbout(DocumentEvent event) {
    return kind == DocumentEvent.Kind.WRITTEN || kind == event.kind();
  }
}
