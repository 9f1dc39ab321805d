package dev.syncguard.firestore.server.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentTransform.FieldTransform;
import com.google.firestore.v1.TransactionOptions;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.CommitResult;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A transaction commits once, however often and by whomever its commit is sent. */
@Timeout(120)
class ExactlyOnceTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private static final int TRANSACTIONS = 300;

  @ParameterizedTest
  @EnumSource(Concurrency.class)
  void theSecondSenderOfACommitThatIsBeingWrittenIsRefused(Concurrency concurrency) {
    CountDownLatch disk = new CountDownLatch(1);
    CountDownLatch appended = new CountDownLatch(1);
    Database database = database(commit -> {
      appended.countDown(); // the writes count, and are not safe yet
      return () -> await(disk);
    });
    Transactions transactions = transactions(database, concurrency, new AtomicLong());
    ByteString id = transactions.begin(TransactionOptions.getDefaultInstance());
    CompletableFuture<CommitResult> first = CompletableFuture.supplyAsync(
        () -> increment(transactions, id, "x"), task -> new Thread(task).start());
    await(appended);
    assertThatThrownBy(() -> increment(transactions, id, "x")).satisfies(ExactlyOnceTest::isOver);
    assertThat(first).isNotDone();
    disk.countDown();
    assertThat(first.join().results()).hasSize(1);
    assertThat(value(database, "x")).isEqualTo(1);
  }

  @Test
  void rollingBackWhileACommitIsBeingWrittenDoesNotUndoIt() {
    CountDownLatch disk = new CountDownLatch(1);
    CountDownLatch appended = new CountDownLatch(1);
    Database database = database(commit -> {
      appended.countDown(); // the writes count, and are not safe yet
      return () -> await(disk);
    });
    Transactions transactions = transactions(database, Concurrency.PESSIMISTIC, new AtomicLong());
    ByteString id = transactions.begin(TransactionOptions.getDefaultInstance());
    CompletableFuture<CommitResult> first = CompletableFuture.supplyAsync(
        () -> increment(transactions, id, "x"), task -> new Thread(task).start());
    await(appended);
    transactions.rollback(id);
    disk.countDown();
    assertThat(first.join().results()).hasSize(1);
    assertThat(value(database, "x")).isEqualTo(1);
  }

  /** Commits sent up to four times at once, rolled back and expired meanwhile, over a disk that takes its time. */
  @ParameterizedTest
  @EnumSource(Concurrency.class)
  void inRandomHistoriesEveryTransactionCountsAsOftenAsItWasAnsweredAndAtMostOnce(
      Concurrency concurrency) throws Exception {
    Random random = new Random(7);
    AtomicLong nanos = new AtomicLong();
    Database database = database(commit -> () -> LockSupport.parkNanos(200_000));
    Transactions transactions = transactions(database, concurrency, nanos);
    List<AtomicInteger> answered = new ArrayList<>();
    int refused = 0;
    ExecutorService senders = Executors.newFixedThreadPool(8);
    try {
      List<CompletableFuture<?>> sent = new ArrayList<>();
      for (int i = 0; i < TRANSACTIONS; i++) {
        String document = "d" + i;
        AtomicInteger count = new AtomicInteger();
        answered.add(count);
        ByteString id = transactions.begin(TransactionOptions.getDefaultInstance());
        if (random.nextBoolean()) {
          transactions.reading(id).willRead(List.of(name(document)));
        }
        for (int copy = 1 + random.nextInt(4); copy > 0; copy--) {
          sent.add(CompletableFuture.runAsync(
              () -> {
                increment(transactions, id, document);
                count.incrementAndGet();
              },
              senders));
        }
        if (random.nextInt(4) == 0) {
          sent.add(CompletableFuture.runAsync(() -> transactions.rollback(id), senders));
        }
        if (random.nextInt(16) == 0) {
          nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
          sent.add(CompletableFuture.runAsync(transactions::expire, senders));
        }
      }
      for (CompletableFuture<?> one : sent) {
        try {
          one.join();
        } catch (CompletionException e) {
          isOver(Objects.requireNonNull(e.getCause()));
          refused++;
        }
      }
    } finally {
      senders.shutdownNow();
    }
    assertThat(refused).as("histories without a refusal prove nothing").isPositive();
    for (int i = 0; i < TRANSACTIONS; i++) {
      assertThat(answered.get(i).get()).as("answers of transaction " + i).isBetween(0, 1);
      assertThat(value(database, "d" + i))
          .as("what transaction " + i + " left")
          .isEqualTo(answered.get(i).get());
    }
  }

  private static Database database(Journal journal) {
    return new Database(
        NAME,
        journal,
        InstantSource.system(),
        IndexPolicy.EVERYTHING,
        Database.HistoryLimits.DEFAULT);
  }

  private static Transactions transactions(
      Database database, Concurrency concurrency, AtomicLong nanos) {
    return new Transactions(
        database,
        new TransactionSettings(
            concurrency, Duration.ofHours(1), Duration.ofSeconds(60), Duration.ofSeconds(270)),
        nanos::get,
        42);
  }

  private static CommitResult increment(Transactions transactions, ByteString id, String document) {
    Write write = Write.newBuilder()
        .setUpdate(Document.newBuilder().setName(name(document).toString()))
        .setUpdateMask(com.google.firestore.v1.DocumentMask.getDefaultInstance())
        .addUpdateTransforms(
            FieldTransform.newBuilder().setFieldPath("v").setIncrement(Values.of(1L)))
        .build();
    return transactions.commit(id, new WritePlanner(NAME).plan(List.of(write)), CommitGate.OPEN);
  }

  private static long value(Database database, String id) {
    Document document = database.read(snapshot -> snapshot.get(name(id)));
    return document == null ? 0 : document.getFieldsOrThrow("v").getIntegerValue();
  }

  private static DocumentName name(String id) {
    return DocumentName.parse(NAME.documents() + "/c/" + id);
  }

  private static void isOver(Throwable failure) {
    assertThat(failure).isInstanceOfSatisfying(FirestoreServerException.class, e -> {
      assertThat(e.code()).isEqualTo(Code.ABORTED);
      assertThat(e).hasMessageContaining("no longer valid");
    });
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
