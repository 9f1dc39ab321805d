package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects documents and hands them out in the order of a query. Of many it keeps only what they are sorted by, and reads
 * them again when their turn comes. Not thread-safe.
 */
final class DocumentSorter {
  /** So much is kept as it is. */
  private static final int KEPT_BYTES = 1 << 20;

  /** @param document is null if it must be read again; the last value of its position is its name */
  private record Collected(List<Value> position, @Nullable Document document) {}

  private final Query query;
  private final Snapshot snapshot;
  private final List<Collected> documents = new ArrayList<>();
  private long bytes;

  DocumentSorter(Query query, Snapshot snapshot) {
    this.query = query;
    this.snapshot = snapshot;
  }

  void add(Document document) {
    bytes += document.getSerializedSize();
    documents.add(
        new Collected(query.positionAfter(document), bytes > KEPT_BYTES ? null : document));
  }

  Iterator<Document> sorted() {
    documents.sort(Comparator.comparing(Collected::position, query.order()::comparePositions));
    return documents.stream().map(this::read).iterator();
  }

  private Document read(Collected collected) {
    if (collected.document() != null) {
      return collected.document();
    }
    List<Value> position = collected.position();
    String name = position.get(position.size() - 1).getReferenceValue();
    return Objects.requireNonNull(snapshot.get(DocumentName.parse(name)));
  }
}
