package dev.syncguard.firestore.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the past may hold is said in bytes, and those are bytes of the heap. */
@Tag("slow")
class HistoryMemoryTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private static final long LIMIT = 8L << 20;

  @Test
  void aDocumentThatIsUpdatedForEverHoldsNoMoreThanTheHistoryMay() {
    assertThat(heldAfter(60_000, i -> Values.of(i))).isLessThan(LIMIT);
  }

  @Test
  void neitherDoesALargeOne() {
    assertThat(heldAfter(10_000, i -> Values.of("x".repeat(5_000) + i))).isLessThan(LIMIT);
  }

  /** Returns how much of the heap is taken by the updates of one document. */
  private static long heldAfter(int updates, LongFunction<Value> value) {
    Database database = new Database(
        NAME,
        Journal.NONE,
        InstantSource.system(),
        IndexPolicy.EVERYTHING,
        new Database.HistoryLimits(Duration.ofHours(1), Integer.MAX_VALUE, LIMIT));
    set(database, value.apply(-1));
    long before = usedHeap();
    for (int i = 0; i < updates; i++) {
      set(database, value.apply(i));
    }
    long after = usedHeap();
    assertThat(database.<Long>read(Snapshot::horizon))
        .as("the limit was reached")
        .isGreaterThan(0);
    return after - before;
  }

  private static void set(Database database, Value value) {
    Write write = Write.newBuilder()
        .setUpdate(
            Document.newBuilder().setName(NAME.documents() + "/c/d").putFields("counter", value))
        .build();
    database.commit(new WritePlanner(NAME).plan(List.of(write)), CommitGate.OPEN);
  }

  private static long usedHeap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
