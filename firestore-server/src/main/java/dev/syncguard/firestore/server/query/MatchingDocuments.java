package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Document;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Those documents of a scan that meet a condition, looked for one at a time. */
final class MatchingDocuments implements Iterator<Document> {
  private final Iterator<Document> scan;
  private final Predicate<Document> condition;
  private @Nullable Document next;

  MatchingDocuments(Iterator<Document> scan, Predicate<Document> condition) {
    this.scan = scan;
    this.condition = condition;
  }

  @Override
  public boolean hasNext() {
    while (next == null && scan.hasNext()) {
      Document candidate = scan.next();
      if (condition.test(candidate)) {
        next = candidate;
      }
    }
    return next != null;
  }

  @Override
  public Document next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    Document document = next;
    next = null;
    return document;
  }
}
