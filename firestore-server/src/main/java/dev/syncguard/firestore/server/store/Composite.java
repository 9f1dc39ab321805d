package dev.syncguard.firestore.server.store;

import dev.syncguard.firestore.server.value.FieldPath;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An index over several fields. It has a document if that has all the fields.
 *
 * @param group whether it serves queries over all collections of the id at once, instead of over one of them
 * @param descendingNames in which order documents come that have the same values
 */
public record Composite(boolean group, List<Part> parts, boolean descendingNames) {
  /** How a field takes part. */
  public enum Order {
    /** The lowest value first. */
    ASCENDING,
    /** The highest value first. */
    DESCENDING,
    /** By each element of an array. */
    CONTAINS
  }

  /** One field of the index. */
  public record Part(FieldPath field, Order order) {
    boolean isInverted() {
      return order == Order.DESCENDING;
    }
  }

  public Composite {
    parts = List.copyOf(parts);
  }

  /** Returns what tells the index from others of the same collections. */
  String signature() {
    return parts.stream()
        .map(part -> part.field().canonical() + " " + part.order())
        .collect(Collectors.joining(", ", "", descendingNames ? " desc" : ""));
  }
}
