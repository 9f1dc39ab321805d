package dev.syncguard.firestore.server.auth;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DocumentName;
import java.util.Optional;

/** Finds documents in one state of the database while a request is judged. */
@FunctionalInterface
public interface Lookup {
  /** Returns a document, or empty if it is not there in that state. */
  Optional<Document> find(DocumentName name);
}
