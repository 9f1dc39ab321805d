package dev.syncguard.firestore.server.query;

import dev.syncguard.firestore.server.store.CollectionView;
import dev.syncguard.firestore.server.value.PathOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ids of one collection between which a scan by name finds all that may match; null means no bound. */
record NameBounds(@Nullable String from, @Nullable String to) {
  static NameBounds of(
      Query query,
      CollectionView collection,
      List<FieldTest> tests,
      @Nullable CursorBounds cursors) {
    String prefix = query.parent().database().documents() + "/" + collection.path() + "/";
    NameBounds bounds = cursors == null
        ? new NameBounds(null, null)
        : new NameBounds(cursors.lowestId(), cursors.highestId());
    for (FieldTest test : tests) {
      String name = test.operand().getReferenceValue();
      if (test.field().isName()
          && name.startsWith(prefix)
          && name.indexOf('/', prefix.length()) < 0) {
        bounds = bounds.and(test, name.substring(prefix.length()));
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
    return from == null || PathOrder.compareIds(id, from) > 0 ? id : from;
  }

  private String earlier(String id) {
    return to == null || PathOrder.compareIds(id, to) < 0 ? id : to;
  }
}
