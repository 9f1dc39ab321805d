package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Document;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/** Several sorted runs of documents as one; a document that is in many of them comes once. */
final class MergedDocuments implements Iterator<Document> {
  private record Head(Document document, Iterator<Document> rest) {}

  private final PriorityQueue<Head> heads;

  MergedDocuments(List<Iterator<Document>> runs, Comparator<Document> order) {
    heads = new PriorityQueue<>(Comparator.comparing(Head::document, order));
    runs.forEach(this::push);
  }

  @Override
  public boolean hasNext() {
    return !heads.isEmpty();
  }

  @Override
  public Document next() {
    Head head = heads.poll();
    if (head == null) {
      throw new NoSuchElementException();
    }
    push(head.rest());
    // The order ends with the name, so the same document stands next in every run that has it.
    Head twin = heads.peek();
    while (twin != null && twin.document().getName().equals(head.document().getName())) {
      heads.poll();
      push(twin.rest());
      twin = heads.peek();
    }
    return head.document();
  }

  private void push(Iterator<Document> run) {
    if (run.hasNext()) {
      heads.add(new Head(run.next(), run));
    }
  }
}
