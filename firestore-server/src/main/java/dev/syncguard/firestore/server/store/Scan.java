package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Documents in the order of their keys or of an index. A document is read only when it is asked for. Not thread-safe. */
public final class Scan implements Iterator<Document> {
  /** Where the entries lead: to which path, to which document, and in which order among those whose values were cut. */
  record Target(
      BiFunction<byte[], byte[], String> path,
      Predicate<String> visible,
      BiFunction<String, byte[], Document> load,
      @Nullable Comparator<Document> order) {}

  private final Entries entries;
  private final Target target;
  private final Deque<Document> tied = new ArrayDeque<>();
  private @Nullable String next;

  Scan(Entries entries, Target target) {
    this.entries = entries;
    this.target = target;
  }

  @Override
  public boolean hasNext() {
    while (next == null && tied.isEmpty() && !entries.isOver()) {
      if (isCut()) {
        collectTied();
      } else {
        String path = path();
        if (target.visible().test(path)) {
          next = path; // and the entries stay there
        } else {
          entries.advance();
        }
      }
    }
    return next != null || !tied.isEmpty();
  }

  @Override
  public Document next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    String path = next;
    if (path == null) {
      return tied.removeFirst();
    }
    Document document = target.load().apply(path, entries.value());
    skip();
    return document;
  }

  /** Goes on without reading the document; there must be one. */
  public void skip() {
    if (next == null) {
      tied.removeFirst();
    } else {
      next = null;
      entries.advance();
    }
  }

  private String path() {
    return target.path().apply(entries.key(), entries.value());
  }

  private boolean isCut() {
    return target.order() != null && IndexPlace.isCut(entries.value());
  }

  /** Reads all documents that are equal in what their keys hold of their values, and sorts them by the rest. */
  private void collectTied() {
    byte[] first = entries.key();
    int place = IndexPlace.place(entries.value());
    List<Document> documents = new ArrayList<>();
    while (!entries.isOver()
        && IndexPlace.isCut(entries.value())
        && IndexPlace.place(entries.value()) == place
        && Arrays.equals(first, 0, place, entries.key(), 0, place)) {
      String path = path();
      if (target.visible().test(path)) {
        documents.add(target.load().apply(path, entries.value()));
      }
      entries.advance();
    }
    documents.sort(target.order());
    tied.addAll(documents);
  }
}
