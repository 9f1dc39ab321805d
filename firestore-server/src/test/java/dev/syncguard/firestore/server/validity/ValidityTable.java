package dev.syncguard.firestore.server.validity;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What Firestore accepts and refuses: recorded from the official emulator, 1.22.0, or documented for production, which
 * wins where they differ.
 */
public final class ValidityTable {
  private ValidityTable() {}

  /** Returns the rows by what they are about. */
  public static Map<String, List<ValidityRow>> sections() {
    Map<String, List<ValidityRow>> sections = new LinkedHashMap<>();
    sections.put("Filters", FilterRows.conditions());
    sections.put("Filters on the name", ClauseRows.names());
    sections.put("Collections", ClauseRows.sources());
    sections.put("Orders, limits", ClauseRows.orders());
    sections.put("Cursors", ClauseRows.cursors());
    sections.put("Vector search", SearchRows.neighbours());
    sections.put("Aggregations", SearchRows.aggregations());
    sections.put("What queries find", ResultRows.queries());
    sections.put("What aggregations find", ResultRows.aggregations());
    sections.put("Lists", RequestRows.lists());
    sections.put("Documents and REST", RequestRows.documents());
    sections.put("Transactions and read times", RequestRows.transactions());
    sections.put("Limits", WriteRows.limits());
    sections.put("Names and values", WriteRows.names());
    sections.put("Writes", WriteRows.writes());
    sections.put("Stored vectors", WriteRows.vectors());
    return sections;
  }
}
