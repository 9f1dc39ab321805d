package dev.syncguard.firestore.server.durability;

import java.nio.file.Path;
import java.util.List;

/**
 * What was found on disk when a database was opened.
 *
 * @param documents how many documents the snapshot held
 * @param commits how many commits of the log were applied after it
 * @param losses what could not be used, in words; empty if all was well
 */
public record Recovery(Path directory, long documents, long commits, List<String> losses) {
  public Recovery {
    losses = List.copyOf(losses);
  }
}
