package dev.syncguard.firestore.server.export;

import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.write.PlannedWrite;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What every database begins with: the documents that an export has for databases of its id. Immutable. */
public final class Seed {
  /** Nothing. */
  public static final Seed NONE = new Seed(Optional.empty());

  private final Optional<Path> overallFile;

  private Seed(Optional<Path> overallFile) {
    this.overallFile = overallFile;
  }

  /** Returns the seed of an export, after reading all of it once. */
  public static Seed of(Path path) {
    Optional<Path> file = FirebaseExport.find(path).map(Path::toAbsolutePath);
    file.ifPresent(Exports::check);
    return new Seed(file);
  }

  /** Fills a new database that nobody uses yet, and returns whether there was anything. One document is in memory at a time. */
  public boolean fill(Database database) {
    overallFile.ifPresent(file -> database.fill(into -> Exports.each(database.name(), file, into)));
    return overallFile.isPresent();
  }

  /** Writes the documents into a database that is in use, all at once. */
  public void plant(Database database) {
    List<PlannedWrite> writes =
        overallFile.map(file -> Exports.plan(database.name(), file)).orElse(List.of());
    if (!writes.isEmpty()) {
      database.commit(writes, CommitGate.QUIET);
    }
  }
}
