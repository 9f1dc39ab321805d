package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.query.AccessPath.Kind;
import dev.syncguard.firestore.server.query.AccessPath.Sorting;
import dev.syncguard.firestore.server.store.CollectionView;
import dev.syncguard.firestore.server.store.Composite;
import dev.syncguard.firestore.server.store.IndexRange;
import dev.syncguard.firestore.server.store.Scan;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Chooses how to find the documents of one collection that meet one alternative of a query.
 *
 * <p>Every equality, range and order offers a stretch of an index. The scans are raced against each other for a bounded
 * number of steps; the first to end is short enough to be read, filtered and sorted. If none ends, one that already comes
 * in the right order is used as it is, so that a limit can stop it early. Only then the shortest is looked for.
 */
final class Planner {
  private static final int RACE = 512;

  private final Query query;
  private final CollectionView collection;
  private final List<FieldTest> tests;
  /** The orders that still decide something: a field with one fixed value does not. */
  private final List<Ordering> orderings;

  private final CursorBounds cursors;

  Planner(Query query, CollectionView collection, List<FieldTest> tests) {
    this.query = query;
    this.collection = collection;
    this.tests = tests;
    this.orderings = query.orderings().stream()
        .filter(ordering -> tests.stream()
            .noneMatch(
                test -> test.operator().isEquality() && test.field().equals(ordering.field())))
        .toList();
    this.cursors = new CursorBounds(query, collection, orderings);
  }

  /** What was chosen, and why. */
  record Plan(AccessPath path, Reason reason) {}

  enum Reason {
    /** There is no other. */
    ONLY,
    /** It ended first, within the steps of the race. */
    SHORT,
    /** None is short, and this one comes in the right order. */
    ORDERED,
    /** None is short or comes in the right order, and this one is the shortest. */
    SHORTEST
  }

  Plan choose() {
    List<AccessPath> paths = paths();
    if (paths.size() == 1) {
      return new Plan(paths.get(0), Reason.ONLY);
    }
    int shortest = race(paths, RACE);
    if (shortest >= 0) {
      return new Plan(paths.get(shortest), Reason.SHORT);
    }
    for (AccessPath path : paths) {
      if (path.ordered()) {
        return new Plan(path, Reason.ORDERED);
      }
    }
    return new Plan(paths.get(race(paths, Integer.MAX_VALUE)), Reason.SHORTEST);
  }

  /** Returns which scan ends first, or -1 if none does within the steps. */
  private static int race(List<AccessPath> paths, int steps) {
    List<Scan> scans = paths.stream().map(path -> path.scan().get()).toList();
    for (int step = 0; step < steps; step++) {
      for (int i = 0; i < scans.size(); i++) {
        if (!scans.get(i).hasNext()) {
          return i;
        }
        scans.get(i).skip();
      }
    }
    return -1;
  }

  private List<AccessPath> paths() {
    List<AccessPath> paths = new ArrayList<>(composites());
    Set<FieldPath> ranged = new LinkedHashSet<>();
    for (FieldTest test : tests) {
      if (test.field().isName() || !collection.isIndexed(test.field())) {
        continue;
      }
      switch (test.operator()) {
        case EQUAL, IS_NULL, IS_NAN -> paths.add(equality(test.field(), test.operand(), false));
        case ARRAY_CONTAINS -> paths.add(equality(test.field(), test.operand(), true));
        default -> ranged.add(test.field());
      }
    }
    Ordering first = orderings.isEmpty() ? null : orderings.get(0);
    if (first != null && !first.field().isName() && collection.isIndexed(first.field())) {
      ranged.add(first.field());
    }
    ranged.forEach(field -> paths.add(range(field)));
    paths.add(names());
    return paths;
  }

  private AccessPath equality(FieldPath field, Value value, boolean element) {
    boolean ordered = isByName(0);
    boolean descending = ordered && orderings.get(0).descending();
    IndexRange range = ordered ? cursors.among(value) : IndexRange.only(value);
    return element
        ? path(Kind.ELEMENT, () -> collection.byElement(field, range, descending), ordered)
        : path(Kind.EQUALITY, () -> collection.byValue(field, range, descending), ordered);
  }

  private AccessPath range(FieldPath field) {
    boolean leads = !orderings.isEmpty() && orderings.get(0).field().equals(field);
    boolean ordered = leads
        && isByName(1)
        && orderings.get(1).descending() == orderings.get(0).descending();
    boolean descending = leads && orderings.get(0).descending();
    IndexRange filtered = ValueBounds.of(field, tests);
    IndexRange range = leads ? cursors.narrow(filtered, ordered) : filtered;
    return new AccessPath(
        Kind.RANGE,
        () -> collection.byValue(field, range, descending),
        ordered ? Sorting.WHOLE : leads ? Sorting.FIRST_FIELD : Sorting.NONE);
  }

  /** Returns the indexes over several fields that give exactly the documents of the equalities, in the right order. */
  private List<AccessPath> composites() {
    List<AccessPath> paths = new ArrayList<>();
    for (Composite composite : collection.composites()) {
      CompositeMatch match = CompositeMatch.of(composite, tests, orderings);
      if (match != null) {
        FieldPath next = match.next();
        IndexRange range = next == null
            ? IndexRange.only(match.last())
            : cursors.narrow(ValueBounds.of(next, tests), false);
        paths.add(path(
            Kind.COMPOSITE,
            () -> collection.byComposite(composite, match.fixed(), range, match.descending()),
            true));
      }
    }
    return paths;
  }

  private AccessPath names() {
    boolean ordered = isByName(0);
    boolean descending = ordered && orderings.get(0).descending();
    NameBounds bounds = NameBounds.of(query, collection, tests, ordered ? cursors : null);
    return path(
        Kind.NAMES, () -> collection.byName(bounds.from(), bounds.to(), descending), ordered);
  }

  private static AccessPath path(Kind kind, Supplier<Scan> scan, boolean ordered) {
    return new AccessPath(kind, scan, ordered ? Sorting.WHOLE : Sorting.NONE);
  }

  // An empty list means that even the name is fixed: one document at most, which is always in
  // order.
  private boolean isByName(int position) {
    return orderings.size() > position && orderings.get(position).field().isName();
  }
}
