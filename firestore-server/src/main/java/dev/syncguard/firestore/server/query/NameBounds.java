package dev.syncguard.firestore.server.query;

import dev.syncguard.firestore.server.store.CollectionView;
import dev.syncguard.firestore.server.value.PathOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys between which a scan by name finds all that may match; null means no bound. */
record NameBounds(@Nullable String from, @Nullable String to) {
  static NameBounds of(
      Query query,
      CollectionView collection,
      List<FieldTest> tests,
      @Nullable CursorBounds cursors) {
    String prefix = query.parent().database().documents() + "/";
    NameBounds bounds = cursors == null
        ? new NameBounds(null, null)
        : new NameBounds(cursors.lowestId(), cursors.highestId());
    for (FieldTest test : tests) {
      String name = test.operand().getReferenceValue();
      String key = test.field().isName() && name.startsWith(prefix)
          ? collection.keyOf(name.substring(prefix.length()))
          : null;
      if (key != null) {
        bounds = bounds.and(test, key);
      }
    }
    return bounds;
  }

  private NameBounds and(FieldTest test, String id) {
    return switch (test.operator()) {
      case EQUAL -> new NameBounds(later(id), earlier(id));
      case GREATER_THAN, GREATER_THAN_OR_EQUAL -> new NameBounds(later(id), to);
      case LESS_THAN, LESS_THAN_OR_EQUAL -> new NameBounds(from, earlier(id));
      default -> this;
    };
  }

  private String later(String id) {
    return from == null || PathOrder.comparePaths(id, from) > 0 ? id : from;
  }

  private String earlier(String id) {
    return to == null || PathOrder.comparePaths(id, to) < 0 ? id : to;
  }
}
