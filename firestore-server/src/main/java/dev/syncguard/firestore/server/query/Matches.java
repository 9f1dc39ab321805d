package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.store.Scan;
import dev.syncguard.firestore.server.store.Snapshot;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Predicate;

/**
 * Those documents on one path that meet a condition, in the order of the query. As far as the scan comes in that order they
 * are looked for one at a time; the others are sorted. Not thread-safe.
 */
final class Matches implements Iterator<Document> {
  private final Query query;
  private final Snapshot snapshot;
  private final Predicate<Document> condition;
  private final AccessPath path;
  private final Scan scan;
  private Iterator<Document> found = Collections.emptyIterator();

  Matches(Query query, Snapshot snapshot, Predicate<Document> condition, AccessPath path) {
    this.query = query;
    this.snapshot = snapshot;
    this.condition = condition;
    this.path = path;
    this.scan = path.scan().get();
  }

  @Override
  public boolean hasNext() {
    while (!found.hasNext() && scan.hasNext()) {
      Document document = scan.next();
      found = path.isNextUndecided(scan) ? sorted(document) : matching(document);
    }
    return found.hasNext();
  }

  @Override
  public Document next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return found.next();
  }

  private Iterator<Document> matching(Document document) {
    return condition.test(document) ? List.of(document).iterator() : Collections.emptyIterator();
  }

  private Iterator<Document> sorted(Document first) {
    DocumentSorter sorter = new DocumentSorter(query, snapshot);
    matching(first).forEachRemaining(sorter::add);
    while (path.isNextUndecided(scan)) {
      matching(scan.next()).forEachRemaining(sorter::add);
    }
    return sorter.sorted();
  }
}
