package dev.syncguard.cli;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import java.nio.file.Path;
import java.util.Optional;

/** What is exported when a Firestore ends. */
final class FinalExport {

  private FinalExport() {}

  /** Exports if that is asked for, says what became of it, and returns whether nothing went wrong. */
  static boolean of(FirestoreServerOptions options, FirestoreServer server, Output output) {
    Optional<Path> directory = options.exportDirectory();
    if (directory.isEmpty()) {
      return true;
    }
    String project = options.project();
    try {
      long count = server.exportTo(directory.get(), project);
      output.note("Exported " + count + (count == 1 ? " document" : " documents") + " of project "
          + project + " to " + directory.get());
    } catch (FirestoreServerException e) {
      output.problem("Nothing was exported to " + directory.get() + ": " + e.getMessage());
      return false;
    }
    for (DatabaseName each : server.databases()) {
      if (!each.equals(new DatabaseName(project, "(default)"))) {
        output.problem("Not exported, because exports are of one database: " + each);
      }
    }
    return true;
  }
}
