package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.store.CollectionView;
import dev.syncguard.firestore.server.store.Snapshot;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Finds the results of a query in a snapshot. */
public final class QueryRun {
  /** The documents found, unprojected, and how many the offset left out. */
  public record Results(List<Document> documents, int skipped) {}

  private final Query query;
  private final Snapshot snapshot;

  private QueryRun(Query query, Snapshot snapshot) {
    this.query = query;
    this.snapshot = snapshot;
  }

  /** Returns the results in their order. */
  public static Results run(Query query, Snapshot snapshot) {
    List<Document> found = new ArrayList<>();
    int skipped = each(query, snapshot, found::add);
    return new Results(found, skipped);
  }

  /** Hands over the results in their order, which need not all fit into memory, and returns how many the offset left out. */
  static int each(Query query, Snapshot snapshot, Consumer<Document> results) {
    return new QueryRun(query, snapshot).each(results);
  }

  private int each(Consumer<Document> results) {
    if (query.nearest() != null) {
      NearestNeighbours.of(query.nearest(), matches()).forEach(results);
      return 0;
    }
    int found = 0;
    int skipped = 0;
    Iterator<Document> matches = matches();
    // Whether there is one more is not asked once there are enough: looking for it may take long.
    while ((query.limit() < 0 || found < query.limit()) && matches.hasNext()) {
      Document document = matches.next();
      if (query.isAfterEnd(document)) {
        break;
      }
      if (!query.isBeforeStart(document)) {
        if (skipped < query.offset()) {
          skipped++;
        } else {
          results.accept(document);
          found++;
        }
      }
    }
    return skipped;
  }

  private Iterator<Document> matches() {
    List<List<FieldTest>> alternatives = DisjunctiveForm.of(query.filter());
    List<Iterator<Document>> sources = new ArrayList<>();
    for (CollectionView collection : collections()) {
      for (List<FieldTest> alternative : alternatives) {
        sources.add(find(collection, alternative));
      }
      List<Document> rewound = sorted(collection.rewound().iterator(), List.of(query.filter()));
      if (!rewound.isEmpty()) {
        sources.add(rewound.iterator());
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
        .filter(Objects::nonNull)
        .toList();
  }

  private Iterator<Document> find(CollectionView collection, List<FieldTest> tests) {
    AccessPath path = new Planner(query, collection, tests).choose();
    Iterator<Document> scan = path.scan().get();
    return path.ordered()
        ? new MatchingDocuments(scan, document -> isMatch(document, tests))
        : sorted(scan, tests).iterator();
  }

  private List<Document> sorted(Iterator<Document> scan, List<? extends Filter> tests) {
    List<Document> matching = new ArrayList<>();
    scan.forEachRemaining(document -> {
      if (isMatch(document, tests)) {
        matching.add(document);
      }
    });
    matching.sort(query.order());
    return matching;
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
