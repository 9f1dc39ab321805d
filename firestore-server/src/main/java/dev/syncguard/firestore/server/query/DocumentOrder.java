package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Fields;
import dev.syncguard.firestore.server.value.PathOrder;
import dev.syncguard.firestore.server.value.ValueOrder;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The order of a query's results: by its fields in turn, the last of them being the name. */
final class DocumentOrder implements Comparator<Document> {
  private final List<Ordering> orderings;

  DocumentOrder(List<Ordering> orderings) {
    this.orderings = orderings;
  }

  /** Returns what a query sees at the path, where the name counts as a reference. */
  static @Nullable Value value(Document document, FieldPath field) {
    return field.isName()
        ? Value.newBuilder().setReferenceValue(document.getName()).build()
        : Fields.get(document.getFieldsMap(), field);
  }

  @Override
  public int compare(Document a, Document b) {
    for (Ordering ordering : orderings) {
      int order = ordering.field().isName()
          ? PathOrder.comparePaths(a.getName(), b.getName())
          : compare(value(a, ordering.field()), value(b, ordering.field()));
      if (order != 0) {
        return ordering.descending() ? -order : order;
      }
    }
    return 0;
  }

  /** Compares a document with the leading values of a position among the results. */
  int compare(Document document, List<Value> position) {
    for (int i = 0; i < position.size(); i++) {
      Ordering ordering = orderings.get(i);
      int order = compare(value(document, ordering.field()), position.get(i));
      if (order != 0) {
        return ordering.descending() ? -order : order;
      }
    }
    return 0;
  }

  /** Compares two positions that have a value for each order, the names included. */
  int comparePositions(List<Value> a, List<Value> b) {
    for (int i = 0; i < orderings.size(); i++) {
      int order = ValueOrder.INSTANCE.compare(a.get(i), b.get(i));
      if (order != 0) {
        return orderings.get(i).descending() ? -order : order;
      }
    }
    return 0;
  }

  private static int compare(@Nullable Value a, @Nullable Value b) {
    if (a == null || b == null) {
      return Boolean.compare(a != null, b != null);
    }
    return ValueOrder.INSTANCE.compare(a, b);
  }
}
