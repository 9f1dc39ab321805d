package dev.syncguard.firestore.server.query;

import dev.syncguard.firestore.server.store.Scan;
import java.util.function.Supplier;

/** One way to reach all documents that may match. */
record AccessPath(Kind kind, Supplier<Scan> scan, Sorting sorting) {
  /** What is scanned. */
  enum Kind {
    /** An index over several fields. */
    COMPOSITE,
    /** The documents with one value in a field. */
    EQUALITY,
    /** The documents with one element in an array. */
    ELEMENT,
    /** A field, between two values or from end to end. */
    RANGE,
    /** The documents by their names. */
    NAMES
  }

  /** How far the scan comes in the order of the results. */
  enum Sorting {
    /** All the way, where the index holds the values as a whole. */
    WHOLE,
    /** By the field that the results are sorted by first. */
    FIRST_FIELD,
    /** Not at all. */
    NONE
  }

  boolean ordered() {
    return sorting == Sorting.WHOLE;
  }

  /** Returns whether the order may be wrong between the document that the scan gave last and the next. */
  boolean isNextUndecided(Scan running) {
    return switch (sorting) {
      case WHOLE -> running.wasCut() && running.hasNextAlike();
      case FIRST_FIELD -> running.hasNextAlike();
      case NONE -> running.hasNext();
    };
  }
}
