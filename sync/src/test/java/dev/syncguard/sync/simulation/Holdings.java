package dev.syncguard.sync.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.syncguard.sync.Site;
import java.util.Map;

/** What a reader has on one device, as it is stored there. */
record Holdings(JsonNode read, String loadFrom, JsonNode authors) {

  static Holdings of(Map<String, String> values, Site site) {
    String prefix = site.keyPrefix() + "power-reader-";
    return new Holdings(
        Forum.read(values.getOrDefault(prefix + "read", "{}")),
        values.getOrDefault(prefix + "read-from", ""),
        Forum.read(values.getOrDefault(prefix + "author-prefs", "{}")));
  }

  /** Returns whether the device would bring the edit back if nobody else had it any more. */
  boolean cover(Edit edit) {
    return switch (edit.kind) {
      case READ -> read.has(edit.key);
      case LOAD_FROM -> Edit.rank(loadFrom) >= Edit.rank(edit.value);
      // That somebody is no longer preferred is not worth saying where nobody says otherwise.
      case AUTHORS -> !edit.value.equals("0") && authors.path(edit.key).asText().equals(edit.value);
    };
  }
}
