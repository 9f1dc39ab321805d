package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.store.CollectionView;
import dev.syncguard.firestore.server.store.Snapshot;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The results of a query in a snapshot, unprojected and in their order. They are looked for one at a time, so that they
 * need not all fit into memory. Not thread-safe.
 */
public final class QueryRun implements Iterator<Document> {
  private final Query query;
  private final Snapshot snapshot;
  private final Consumer<Planner.Plan> plans;
  private final Iterator<Document> matches;
  private @Nullable Document next;
  private int skipped;
  private int found;
  private boolean over;

  /** Starts to look for the results. */
  public QueryRun(Query query, Snapshot snapshot) {
    this(query, snapshot, plan -> {});
  }

  /** @param plans is told of every choice of a plan */
  QueryRun(Query query, Snapshot snapshot, Consumer<Planner.Plan> plans) {
    this.query = query;
    this.snapshot = snapshot;
    this.plans = plans;
    this.matches = query.nearest() == null
        ? matches()
        : NearestNeighbours.of(query.nearest(), matches()).iterator();
  }

  /** Returns how many documents the offset has left out; all of them once the first result is there. */
  public int skipped() {
    return skipped;
  }

  /** Returns how many results there were so far. */
  public int found() {
    return found;
  }

  @Override
  public boolean hasNext() {
    // Whether there is one more is not asked once there are enough: looking for it may take long.
    over |= query.limit() >= 0 && found >= query.limit();
    while (next == null && !over) {
      Document document = matches.hasNext() ? matches.next() : null;
      if (document == null || query.isAfterEnd(document)) {
        over = true;
      } else if (!query.isBeforeStart(document)) {
        next = skipped < query.offset() ? null : document;
        skipped += next == null ? 1 : 0;
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
    found++;
    return document;
  }

  private Iterator<Document> matches() {
    List<List<FieldTest>> alternatives = DisjunctiveForm.of(query.filter());
    List<Iterator<Document>> sources = new ArrayList<>();
    for (CollectionView collection : collections()) {
      for (List<FieldTest> alternative : alternatives) {
        sources.add(find(collection, alternative));
      }
      DocumentSorter rewound = new DocumentSorter(query, snapshot);
      collection.rewound().forEachRemaining(document -> {
        if (isMatch(document, List.of(query.filter()))) {
          rewound.add(document);
        }
      });
      Iterator<Document> sorted = rewound.sorted();
      if (sorted.hasNext()) {
        sources.add(sorted);
      }
    }
    return sources.size() == 1 ? sources.get(0) : new MergedDocuments(sources, query.order());
  }

  private List<CollectionView> collections() {
    if (query.allDescendants()) {
      return snapshot.descendants(query.parent(), query.collectionId());
    }
    List<String> ids = query.collectionId().isEmpty()
        ? snapshot.collectionIds(query.parent())
        : List.of(query.collectionId());
    return ids.stream()
        .map(id -> snapshot.collection(query.parent().collectionPath(id)))
        .toList();
  }

  private Iterator<Document> find(CollectionView collection, List<FieldTest> tests) {
    Planner.Plan plan = new Planner(query, collection, tests).choose();
    plans.accept(plan);
    return new Matches(query, snapshot, document -> isMatch(document, tests), plan.path());
  }

  private boolean isMatch(Document document, List<? extends Filter> tests) {
    for (Filter test : tests) {
      if (!test.matches(document)) {
        return false;
      }
    }
    for (Ordering ordering : query.orderings()) {
      if (DocumentOrder.value(document, ordering.field()) == null) {
        return false;
      }
    }
    return true;
  }
}
