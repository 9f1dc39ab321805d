package dev.syncguard.firestore.server.durability;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** Two documents that every commit gives the same, rising number. */
final class TwoDocuments {
  static final int COMMITS = 12;
  private static final DatabaseName NAME = new DatabaseName("p", "d");

  private TwoDocuments() {}

  /** Commits on after failures, as a server does, and returns the highest number that was answered. */
  static long writeUntilItEnds(Path root, Disk disk, Fsync fsync) {
    long answered = 0;
    try (DataDirectory directory = DataDirectory.open(root, disk, fsync, 300)) {
      Database database = open(directory);
      for (int i = 1; i <= COMMITS; i++) {
        try {
          database.commit(
              new WritePlanner(NAME).plan(List.of(write("x", i), write("y", i))), CommitGate.OPEN);
          answered = i;
        } catch (RuntimeException | Error e) {
          // Not answered; what became of it is open.
        }
        try {
          directory.maintain();
        } catch (RuntimeException | Error e) {
          // Is tried again.
        }
      }
    } catch (RuntimeException | Error e) {
      // It could not even be opened or closed.
    }
    return answered;
  }

  /** Fills a new database with both, as an import does, and returns whether that was said to be safe. */
  static boolean fill(Path root, Disk disk) {
    boolean kept = false;
    try (DataDirectory directory = DataDirectory.open(root, disk, Fsync.EVERY_COMMIT, 300)) {
      Database database = open(directory);
      database.fill(into -> {
        into.accept(new WritePlanner(NAME).plan(write("x", 1)));
        into.accept(new WritePlanner(NAME).plan(write("y", 1)));
      });
      directory.keep(NAME);
      kept = true;
    } catch (RuntimeException e) {
      // It failed, and was said to.
    }
    return kept;
  }

  static Database open(DataDirectory directory) {
    return directory.open(
        NAME,
        journal -> new Database(
            NAME,
            journal,
            InstantSource.system(),
            IndexPolicy.EVERYTHING,
            Database.HistoryLimits.DEFAULT));
  }

  static long number(Database database, String id) {
    Document document = database.read(snapshot -> snapshot.get(name(id)));
    return document == null ? 0 : document.getFieldsOrThrow("v").getIntegerValue();
  }

  private static Write write(String id, long number) {
    return Write.newBuilder()
        .setUpdate(
            Document.newBuilder().setName(name(id).toString()).putFields("v", Values.of(number)))
        .build();
  }

  private static DocumentName name(String id) {
    return DocumentName.parse(NAME.documents() + "/c/" + id);
  }
}
