package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/** Several sorted runs of documents as one; a document that is in many of them comes once. Not thread-safe. */
public final class MergedDocuments implements Iterator<Document> {
  private record Head(Document document, Iterator<Document> rest) {}

  private final PriorityQueue<Head> heads;
  /** The runs whose documents were taken; they are not looked at before another one is wanted. */
  private final List<Iterator<Document>> taken = new ArrayList<>();

  /** Merges runs that are sorted by the order, which must end with the name. */
  public MergedDocuments(List<? extends Iterator<Document>> runs, Comparator<Document> order) {
    heads = new PriorityQueue<>(Comparator.comparing(Head::document, order));
    taken.addAll(runs);
  }

  @Override
  public boolean hasNext() {
    taken.forEach(this::push);
    taken.clear();
    return !heads.isEmpty();
  }

  @Override
  public Document next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Document next = heads.element().document();
    // The order ends with the name, so the same document stands next in every run that has it.
    while (!heads.isEmpty() && heads.element().document().getName().equals(next.getName())) {
      taken.add(heads.remove().rest());
    }
    return next;
  }

  private void push(Iterator<Document> run) {
    if (run.hasNext()) {
      heads.add(new Head(run.next(), run));
    }
  }
}
