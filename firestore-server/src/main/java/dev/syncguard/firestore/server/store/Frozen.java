package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** All documents as they were at one moment, for whoever copies them while other commits come. Not thread-safe. */
public final class Frozen implements AutoCloseable {
  private final Snapshot snapshot;

  Frozen(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  /** Returns the moment. */
  public long micros() {
    return snapshot.micros();
  }

  /** Returns the documents, in the order of their collections and ids. */
  public Iterator<Document> documents() {
    Entries entries = snapshot.entries(Keys.documents(), Keys.afterAll(Keys.documents()), false);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !entries.isOver();
      }

      @Override
      public Document next() {
        if (entries.isOver()) {
          throw new NoSuchElementException();
        }
        Document next = snapshot.parse(Keys.documentPath(entries.key()), entries.value());
        entries.advance();
        return next;
      }
    };
  }

  @Override
  public void close() {
    snapshot.root().release();
  }
}
