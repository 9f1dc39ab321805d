package dev.syncguard.firestore.server.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.TransactionOptions;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random transactions of many threads over few documents can always be explained by some serial order. */
class SerialisabilityTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private static final List<String> KEYS = List.of("a", "b", "c");
  private static final int THREADS = 6;
  private static final int ROUNDS = 150;

  @ParameterizedTest
  @EnumSource(Concurrency.class)
  @Timeout(120)
  void randomTransactionsAreSerialisable(Concurrency concurrency) throws Exception {
    Database database = new Database(
        NAME,
        Journal.NONE,
        InstantSource.system(),
        IndexPolicy.EVERYTHING,
        Database.HistoryLimits.DEFAULT);
    Transactions transactions = new Transactions(
        database,
        new TransactionSettings(
            concurrency, Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(5)),
        System::nanoTime,
        7);
    ListHistory history = new ListHistory();
    AtomicInteger numbers = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Random random = new Random(thread);
        done.add(threads.submit(() -> {
          for (int round = 0; round < ROUNDS; round++) {
            attempt(database, transactions, history, numbers.incrementAndGet(), random);
          }
        }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    Map<String, List<Integer>> finalLists = new HashMap<>();
    KEYS.forEach(key ->
        finalLists.put(key, database.read(snapshot -> list(snapshot.get(name(key))))));
    assertThat(history.anomaly(finalLists)).isEmpty();
    assertThat(history.size())
        .as("enough of them committed to prove something")
        .isGreaterThan(THREADS * ROUNDS / 10);
  }

  private static void attempt(
      Database database,
      Transactions transactions,
      ListHistory history,
      int number,
      Random random) {
    Set<String> readKeys = new HashSet<>();
    Set<String> appendKeys = new HashSet<>();
    for (String key : KEYS) {
      if (random.nextBoolean()) {
        readKeys.add(key);
        if (random.nextInt(3) > 0) {
          appendKeys.add(key);
        }
      }
    }
    ByteString id = transactions.begin(TransactionOptions.getDefaultInstance());
    try {
      Map<String, List<Integer>> reads = new HashMap<>();
      boolean byQuery = random.nextInt(3) == 0;
      for (String key : readKeys) {
        Reading reading = transactions.reading(id);
        if (byQuery) {
          reading.willQuery("lists");
        } else {
          reading.willRead(List.of(name(key)));
        }
        reads.put(key, database.read(reading.micros(), snapshot -> list(snapshot.get(name(key)))));
      }
      List<Write> writes = new ArrayList<>();
      for (String key : appendKeys) {
        List<Integer> longer = new ArrayList<>(reads.getOrDefault(key, List.of()));
        longer.add(number);
        writes.add(write(key, longer));
      }
      transactions.commit(id, new WritePlanner(NAME).plan(writes), CommitGate.OPEN);
      history.add(new ListHistory.Entry(number, reads, appendKeys));
    } catch (FirestoreServerException e) {
      transactions.rollback(id); // lost against another one
    }
  }

  private static Write write(String key, List<Integer> list) {
    ArrayValue.Builder array = ArrayValue.newBuilder();
    list.forEach(number -> array.addValues(Values.of((long) number)));
    return Write.newBuilder()
        .setUpdate(Document.newBuilder()
            .setName(name(key).toString())
            .putFields("list", Value.newBuilder().setArrayValue(array).build()))
        .build();
  }

  private static List<Integer> list(@Nullable Document document) {
    return document == null
        ? List.of()
        : document.getFieldsOrThrow("list").getArrayValue().getValuesList().stream()
            .map(value -> (int) value.getIntegerValue())
            .toList();
  }

  private static DocumentName name(String key) {
    return DocumentName.parse(NAME.documents() + "/lists/" + key);
  }
}
