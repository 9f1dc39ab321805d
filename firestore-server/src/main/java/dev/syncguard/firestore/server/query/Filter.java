package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Document;
import java.util.List;

/** A condition on one document. */
sealed interface Filter permits Filter.All, Filter.Any, FieldTest {
  /** Accepts every document. */
  Filter TRUE = new All(List.of());

  boolean matches(Document document);

  /** Every part must hold. */
  record All(List<Filter> parts) implements Filter {
    @Override
    public boolean matches(Document document) {
      return parts.stream().allMatch(part -> part.matches(document));
    }
  }

  /** At least one part must hold. */
  record Any(List<Filter> parts) implements Filter {
    @Override
    public boolean matches(Document document) {
      return parts.stream().anyMatch(part -> part.matches(document));
    }
  }
}
