package dev.syncguard.firestore.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.PlannedWrite;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever reads sees one moment for as long as it takes, and nobody waits for it. */
@Timeout(120)
class SnapshotReadsTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private static final int DOCUMENTS = 500;

  @TempDir
  private Path directory;

  @Test
  void commitsGoOnDuringAReadWhichSeesNothingOfThem() {
    check(database(null));
  }

  @Test
  void soTheyDoInAFile() {
    Database database = database(directory.resolve("file"));
    try {
      check(database);
    } finally {
      database.close();
    }
  }

  private static void check(Database database) {
    for (int i = 0; i < DOCUMENTS; i++) {
      set(database, i, 0);
    }
    int seen = database.read(snapshot -> {
      Scan scan = snapshot.collection("c").byValue(FieldPath.of("v"), IndexRange.ALL, false);
      assertThat(number(scan.next())).isZero();
      for (int round = 1; round <= 20; round++) {
        changeAllElsewhere(database, round);
      }
      int count = 1;
      while (scan.hasNext()) {
        assertThat(number(scan.next())).isZero();
        count++;
      }
      return count;
    });
    assertThat(seen).isEqualTo(DOCUMENTS);
    assertThat(database.<Integer>read(snapshot -> {
          int last = 0;
          Scan scan = snapshot.collection("c").byName(null, null, false);
          while (scan.hasNext()) {
            last += number(scan.next()) == 20 ? 1 : 0;
          }
          return last;
        }))
        .isEqualTo(DOCUMENTS);
  }

  @Test
  void aReadDuringACommitIsGivenATimeBeforeIt() throws Exception {
    Database database = database(null);
    set(database, 1, 1);
    long[] readAt = new long[1];
    long committed = database
        .commit(plan(1, 2), (present, micros, writes) -> {
          // A reader that comes while the commit has a time but cannot be seen yet.
          CompletableFuture<Long> reader =
              CompletableFuture.supplyAsync(() -> database.read(snapshot -> {
                assertThat(number(snapshot.get(name(1)))).isEqualTo(1);
                return snapshot.micros();
              }));
          readAt[0] = reader.orTimeout(60, TimeUnit.SECONDS).join();
        })
        .micros();
    assertThat(readAt[0]).isLessThan(committed);
    assertThat(valueAt(database, readAt[0])).isEqualTo(1);
    assertThat(valueAt(database, committed)).isEqualTo(2);
  }

  private static void changeAllElsewhere(Database database, int value) {
    CompletableFuture.runAsync(() -> {
          for (int i = 0; i < DOCUMENTS; i++) {
            set(database, i, value);
          }
        })
        .orTimeout(60, TimeUnit.SECONDS)
        .join();
  }

  private static long valueAt(Database database, long micros) {
    return database.read(OptionalLong.of(micros), snapshot -> number(snapshot.get(name(1))));
  }

  private static long number(@Nullable Document document) {
    return Objects.requireNonNull(document).getFieldsOrThrow("v").getIntegerValue();
  }

  private static DocumentName name(int id) {
    return new DocumentName(NAME, "c/d" + id);
  }

  private static void set(Database database, int id, long value) {
    database.commit(plan(id, value), CommitGate.OPEN);
  }

  private static List<PlannedWrite> plan(int id, long value) {
    return new WritePlanner(NAME)
        .plan(List.of(Write.newBuilder()
            .setUpdate(
                Document.newBuilder().setName(name(id).toString()).putFields("v", Values.of(value)))
            .build()));
  }

  private static Database database(@Nullable Path file) {
    Journal journal = new Journal() {
      @Override
      public Receipt append(Commit commit) {
        return Receipt.DONE;
      }

      @Override
      public @Nullable Workplace workplace() {
        return file == null ? null : new Workplace(file, new EngineMemory());
      }
    };
    return new Database(
        NAME,
        journal,
        InstantSource.system(),
        IndexPolicy.EVERYTHING,
        Database.HistoryLimits.DEFAULT);
  }
}
