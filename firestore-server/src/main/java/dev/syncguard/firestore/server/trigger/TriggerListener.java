package dev.syncguard.firestore.server.trigger;

/** Is told what happens to documents, one event at a time. */
@FunctionalInterface
public interface TriggerListener {
  /** Handles an event. If this throws, the event is told again later. */
  void handle(DocumentEvent event) throws Exception;
}
