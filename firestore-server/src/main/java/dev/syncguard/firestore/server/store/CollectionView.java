package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One collection, or many of one id, as they are seen at one time. The scans run over the indexes of the present and leave out every document
 * that has changed since; those are few, and {@link #rewound} gives them as they were.
 */
public final class CollectionView {
  private final Scope scope;
  private final long micros;
  private final Set<DocumentCell> changedSince;

  CollectionView(Scope scope, long micros, Set<DocumentCell> changedSince) {
    this.scope = scope;
    this.micros = micros;
    this.changedSince = changedSince;
  }

  /**
   * Returns where a document of this path stands or would stand among these by name, or null if it lies outside of the
   * one collection.
   */
  public @Nullable String keyOf(String documentPath) {
    return scope.keyOf(documentPath);
  }

  /** Returns whether the field can be scanned by value. */
  public boolean isIndexed(FieldPath field) {
    return scope.index().isIndexed(field);
  }

  /** Returns the unchanged documents by name, between two keys where given, both included. */
  public Iterator<Document> byName(@Nullable String from, @Nullable String to, boolean descending) {
    NavigableMap<String, DocumentCell> cells = scope.cells();
    if (from != null) {
      cells = cells.tailMap(from, true);
    }
    if (to != null) {
      if (from != null && !cells.isEmpty() && cells.comparator().compare(to, from) < 0) {
        return List.<Document>of().iterator();
      }
      cells = cells.headMap(to, true);
    }
    return present((descending ? cells.descendingMap() : cells).values().iterator());
  }

  /** Returns the unchanged documents by the value of a field, then by id. */
  public Iterator<Document> byValue(FieldPath field, IndexRange range, boolean descending) {
    return present(scope.index().byValue(field, range, descending));
  }

  /** Returns the unchanged documents that have an element of an array field in the range. */
  public Iterator<Document> byElement(FieldPath field, IndexRange range, boolean descending) {
    return present(scope.index().byElement(field, range, descending));
  }

  /** Returns the documents that have changed since, as they were. */
  public List<Document> rewound() {
    List<Document> documents = new ArrayList<>();
    for (DocumentCell cell : changedSince) {
      Document document = scope.holds(cell) ? cell.at(micros) : null;
      if (document != null) {
        documents.add(document);
      }
    }
    return documents;
  }

  private Iterator<Document> present(Iterator<DocumentCell> cells) {
    return new Iterator<>() {
      private @Nullable Document next = advance();

      private @Nullable Document advance() {
        while (cells.hasNext()) {
          DocumentCell cell = cells.next();
          Document document = cell.current();
          if (document != null && !changedSince.contains(cell)) {
            return document;
          }
        }
        return null;
      }

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public Document next() {
        Document current = next;
        if (current == null) {
          throw new NoSuchElementException();
        }
        next = advance();
        return current;
      }
    };
  }
}
