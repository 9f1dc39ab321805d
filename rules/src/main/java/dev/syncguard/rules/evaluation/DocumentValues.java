package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import dev.syncguard.rules.value.RulesValue.PathValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What documents look like to rules. */
public final class DocumentValues {
  private DocumentValues() {}

  /** Returns the full path of a document, by its ids from the root of a database. */
  public static PathValue path(String database, List<String> ids) {
    List<String> segments = new ArrayList<>(List.of("databases", database, "documents"));
    segments.addAll(ids);
    return new PathValue(segments);
  }

  /** Returns what {@code resource} is for a document. */
  public static MapValue document(PathValue path, MapValue data) {
    String id = path.segments().get(path.segments().size() - 1);
    return RulesValue.map(Map.of("data", data, "id", RulesValue.of(id), "__name__", path));
  }
}
