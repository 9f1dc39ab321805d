package dev.syncguard.sync.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A mistake that somebody could make in the engine: texts of one source file, replaced by others.
 *
 * @param name what a reviewer would say about it
 * @param replacements pairs of a text that stands exactly once in the file, and what replaces it
 */
record PlantedBug(String name, String file, List<String> replacements) {

  PlantedBug(String name, String file, String... replacements) {
    this(name, file, List.of(replacements));
  }

  /** Returns the source with the bug in it. */
  String plantedIn(Path original) throws IOException {
    String source = Files.readString(original);
    for (int i = 0; i < replacements.size(); i += 2) {
      String from = replacements.get(i);
      int at = source.indexOf(from);
      if (at < 0 || source.indexOf(from, at + 1) >= 0) {
        throw new AssertionError(
            "This must stand exactly once in " + file + " to be replaced: " + from);
      }
      source = source.replace(from, replacements.get(i + 1));
    }
    return source;
  }

  @Override
  public String toString() {
    return name;
  }
}
