package dev.syncguard.firestore.server.durability;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** A process that commits rising numbers into two documents at once and says so, until it is killed. */
public final class CrashingWriter {
  static final DatabaseName NAME = new DatabaseName("p", "d");

  private CrashingWriter() {}

  public static void main(String[] arguments) {
    long number = Long.parseLong(arguments[1]);
    DataDirectory directory =
        DataDirectory.open(Path.of(arguments[0]), Fsync.valueOf(arguments[2]), 20_000);
    Database database = open(directory);
    while (true) {
      number++;
      database.commit(
          new WritePlanner(NAME).plan(List.of(write("x", number), write("y", number))),
          CommitGate.OPEN);
      System.out.println(number);
      System.out.flush();
      if (number % 50 == 0) {
        directory.maintain();
      }
    }
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

  private static Write write(String id, long number) {
    return Write.newBuilder()
        .setUpdate(Document.newBuilder()
            .setName(NAME.documents() + "/c/" + id)
            .putFields("v", Values.of(number)))
        .build();
  }
}
