package dev.syncguard.firestore.server.index;

import dev.syncguard.firestore.server.value.FieldPath;
import java.util.List;

/**
 * An index over one or more fields of all collections of one id.
 *
 * @param group whether it serves queries over all these collections at once, instead of over one of them
 */
public record CompositeIndex(String collectionId, boolean group, List<Field> fields) {
  /** How a field takes part. */
  public enum Order {
    /** The lowest value first. */
    ASCENDING,
    /** The highest value first. */
    DESCENDING,
    /** By each element of an array. */
    CONTAINS,
    /** By nearness to a vector. */
    VECTOR
  }

  /**
   * One field of the index.
   *
   * @param dimension of the vectors, and zero for all other orders
   */
  public record Field(FieldPath path, Order order, int dimension) {
    /** Creates a field that is no vector. */
    public Field(FieldPath path, Order order) {
      this(path, order, 0);
    }
  }

  public CompositeIndex {
    fields = List.copyOf(fields);
  }
}
