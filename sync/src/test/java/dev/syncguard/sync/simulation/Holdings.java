package dev.syncguard.sync.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.syncguard.sync.Site;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a reader has on one device, as it is stored there. */
record Holdings(JsonNode read, String loadFrom, JsonNode authors) {

  static Holdings of(Map<String, String> values, Site site) {
    String prefix = site.keyPrefix() + "power-reader-";
    JsonNode meta = Forum.tryRead(values.getOrDefault(Meta.key(site), "{}"));
    String[] date = (values.getOrDefault(prefix + "read-from", "") + " ()").split(" \\(|\\)", -1);
    return new Holdings(
        valid(values.getOrDefault(prefix + "read", "{}"), meta, Kind.READ),
        date[1].equals(since(meta, Kind.LOAD_FROM)) ? date[0] : "",
        valid(values.getOrDefault(prefix + "author-prefs", "{}"), meta, Kind.AUTHORS));
  }

  /** Returns what is stored if it comes after the clearing that the device knows of; what is older counts for nothing. */
  private static JsonNode valid(String text, @Nullable JsonNode meta, Kind kind) {
    JsonNode stored = Forum.read(text);
    return stored.path("__since__").asText().equals(since(meta, kind))
        ? stored
        : MissingNode.getInstance();
  }

  private static String since(@Nullable JsonNode meta, Kind kind) {
    if (meta == null) {
      return "";
    }
    int handovers = meta.path("handovers").asInt();
    int epoch = meta.path("since").path(kind.id).asInt();
    String reset = meta.path("lastResetId").asText();
    boolean first = handovers == 0 && epoch == 0 && reset.isEmpty();
    return first ? "" : handovers + "." + epoch + "." + reset;
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
