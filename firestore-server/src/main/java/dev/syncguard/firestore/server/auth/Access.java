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
  /** Returns the database that it is about. */
  DatabaseName database();

  /** To read these documents, whether they exist or not. */
  record Get(DatabaseName database, List<Read> documents, Lookup present, Instant time)
      implements Access {
    public Get {
      documents = List.copyOf(documents);
    }
  }

  /** To see whatever a query finds, now or from now on. */
  record Find(ParentName parent, StructuredQuery query, Lookup present, Instant time)
      implements Access {
    @Override
    public DatabaseName database() {
      return parent.database();
    }
  }

  /** To make all of these changes at once. */
  record Commit(
      DatabaseName database, List<Write> writes, Lookup before, Lookup after, Instant time)
      implements Access {
    public Commit {
      writes = List.copyOf(writes);
    }
  }

  /** To see how the database was at some earlier time, when other people may have had other rights. */
  record Past(DatabaseName database) implements Access {}

  /** To do what only administrators may. */
  record Administer(DatabaseName database, String action) implements Access {}

  /** One document, if there is one of that name. */
  record Read(DocumentName name, Optional<Document> document) {}

  /**
   * One document as a write finds it and as it would leave it, transforms included.
   *
   * @param changes whether it may change the document; otherwise it only demands a state of it
   */
  record Write(
      DocumentName name, Optional<Document> before, Optional<Document> after, boolean changes) {}
}
