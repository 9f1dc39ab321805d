package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DocumentName;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * What is deleted next when all at and below a path is to be deleted: so much that it fits into memory.
 *
 * @param more whether something is left after that
 */
record Clearing(List<Change> changes, boolean more) {
  private static final long MOST_BYTES = 1 << 20;
  /** What deleting a document takes beside it. */
  private static final int OVERHEAD = 500;

  /** @param path of a document or a collection; an empty one means everything */
  static Clearing next(Snapshot present, String path) {
    List<Change> changes = new ArrayList<>();
    Document own = path.indexOf('/') < 0 ? null : present.get(path);
    if (own != null) {
      changes.add(deletion(own));
    }
    Iterator<Document> below = present.documentsBelow(path);
    for (long bytes = 0; below.hasNext() && bytes < MOST_BYTES; ) {
      Document document = below.next();
      bytes += OVERHEAD + document.getSerializedSize();
      changes.add(deletion(document));
    }
    return new Clearing(changes, below.hasNext());
  }

  private static Change deletion(Document document) {
    return new Change(DocumentName.parse(document.getName()), document, null);
  }
}
