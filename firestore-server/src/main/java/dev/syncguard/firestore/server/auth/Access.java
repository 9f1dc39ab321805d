package dev.syncguard.firestore.server.auth;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredQuery;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.name.ParentName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a request wants to do, with all that is needed to judge it. */
public sealed interface Access {
  /** To read one document, whether it exists or not. */
  record Get(DocumentName name, Optional<Document> document, Lookup present, Instant time)
      implements Access {}

  /** To see whatever a query finds, now or from now on. */
  record Find(ParentName parent, StructuredQuery query, Lookup present, Instant time)
      implements Access {}

  /** To make all of these changes at once. */
  record Commit(List<Write> writes, Lookup before, Lookup after, Instant time) implements Access {
    public Commit {
      writes = List.copyOf(writes);
    }
  }

  /** To do what only administrators may. */
  record Administer(DatabaseName database, String action) implements Access {}

  /** One document as a write finds it and as it would leave it, transforms included. */
  record Write(DocumentName name, Optional<Document> before, Optional<Document> after) {}
}
