package dev.syncguard.firestore.server.ttl;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.TransactionOptions;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.transaction.Concurrency;
import dev.syncguard.firestore.server.transaction.TransactionSettings;
import dev.syncguard.firestore.server.transaction.Transactions;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Times;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lock timeout is an hour here: a sweep that waits for a lock does not end. */
@Timeout(60)
class ExpiryUnderLocksTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now = START;
  private final InstantSource time = () -> now;
  private final Database database = new Database(
      NAME, Journal.NONE, time, IndexPolicy.EVERYTHING, Database.HistoryLimits.DEFAULT);
  private final Transactions transactions = new Transactions(
      database,
      new TransactionSettings(
          Concurrency.PESSIMISTIC, Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1)),
      System::nanoTime,
      42);
  private final Databases databases =
      new Databases(name -> new Databases.Served(database, transactions));
  private final ExpirySweep sweep =
      new ExpirySweep(databases, name -> Map.of("c", FieldPath.of("end")), time);

  @BeforeEach
  void open() {
    databases.get(NAME);
  }

  @Test
  void documentsThatTransactionsHoldDoNotKeepTheOthers() {
    for (int i = 0; i < 700; i++) {
      put("d" + i, START.minusSeconds(1000 - i));
    }
    ByteString holder = transactions.begin(TransactionOptions.getDefaultInstance());
    List<DocumentName> held = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      held.add(name("d" + i));
    }
    transactions.reading(holder).willRead(held);
    assertThat(sweep.run()).isEqualTo(100);
    transactions.rollback(holder);
    assertThat(sweep.run()).isEqualTo(600);
  }

  @Test
  void inRandomHistoriesExactlyTheExpiredDocumentsThatNobodyHoldsAreRemoved() {
    Random random = new Random(3);
    Map<String, Instant> model = new TreeMap<>();
    Map<ByteString, Set<String>> holders =
        new TreeMap<>(ByteString.unsignedLexicographicalComparator());
    int removed = 0;
    int spared = 0;
    for (int step = 0; step < 3000; step++) {
      String id = "d" + random.nextInt(40);
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          if (holders.values().stream().noneMatch(held -> held.contains(id))) {
            Instant end = now.plusSeconds(random.nextInt(20) - 10);
            put(id, end);
            model.put(id, end);
          }
        }
        case 2 -> {
          ByteString holder = transactions.begin(TransactionOptions.getDefaultInstance());
          transactions.reading(holder).willRead(List.of(name(id)));
          holders.computeIfAbsent(holder, key -> new HashSet<>()).add(id);
        }
        case 3 -> {
          if (!holders.isEmpty()) {
            ByteString holder = holders.keySet().iterator().next();
            transactions.rollback(holder);
            holders.remove(holder);
          }
        }
        case 4 -> now = now.plusSeconds(random.nextInt(5));
        default -> {
          int expected = 0;
          for (String candidate : List.copyOf(model.keySet())) {
            boolean over = !Objects.requireNonNull(model.get(candidate)).isAfter(now);
            boolean free = holders.values().stream().noneMatch(held -> held.contains(candidate));
            if (over && free) {
              model.remove(candidate);
              expected++;
            } else if (over) {
              spared++;
            }
          }
          assertThat(sweep.run()).as("step " + step).isEqualTo(expected);
          removed += expected;
        }
      }
      assertThat(stored(id)).as("step " + step).isEqualTo(model.containsKey(id));
    }
    assertThat(removed).isPositive();
    assertThat(spared).isPositive();
  }

  private boolean stored(String id) {
    return database.read(snapshot -> snapshot.get(name(id)) != null);
  }

  private void put(String id, Instant end) {
    Write write = Write.newBuilder()
        .setUpdate(Document.newBuilder()
            .setName(name(id).toString())
            .putFields(
                "end",
                Value.newBuilder()
                    .setTimestampValue(Times.timestamp(Times.micros(end)))
                    .build()))
        .build();
    transactions.commit(
        ByteString.EMPTY, new WritePlanner(NAME).plan(List.of(write)), CommitGate.OPEN);
  }

  private static DocumentName name(String id) {
    return DocumentName.parse(NAME.documents() + "/c/" + id);
  }
}
