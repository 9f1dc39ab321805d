package dev.syncguard.firestore.server.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.TransactionOptions;
import com.google.firestore.v1.TransactionOptions.ConcurrencyMode;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.write.PlannedWrite;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What ends a transaction, and what it leaves behind. */
@Timeout(60)
class TransactionLifeTest {
  private static final String OVER =
      "The referenced transaction has expired or is no longer valid.";
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private static final DocumentName X = DocumentName.parse(NAME.documents() + "/c/x");
  private static final DocumentName ELSEWHERE = DocumentName.parse(NAME.documents() + "/e/x");

  private final AtomicLong nanos = new AtomicLong(1_000);
  private final Database database = new Database(
      NAME,
      Journal.NONE,
      InstantSource.system(),
      IndexPolicy.EVERYTHING,
      Database.HistoryLimits.DEFAULT);
  private final Transactions transactions = new Transactions(
      database,
      new TransactionSettings(
          Concurrency.PESSIMISTIC,
          Duration.ofHours(1),
          Duration.ofSeconds(60),
          Duration.ofSeconds(270)),
      nanos::get,
      42);

  private static TransactionOptions options(ConcurrencyMode mode) {
    return TransactionOptions.newBuilder()
        .setReadWrite(TransactionOptions.ReadWrite.newBuilder().setConcurrencyMode(mode))
        .build();
  }

  private ByteString begin() {
    return transactions.begin(TransactionOptions.getDefaultInstance());
  }

  private ByteString beginOptimistic() {
    return transactions.begin(options(ConcurrencyMode.OPTIMISTIC));
  }

  private static List<PlannedWrite> writeOf(DocumentName name) {
    Document document = Document.newBuilder().setName(name.toString()).build();
    return new WritePlanner(NAME)
        .plan(List.of(Write.newBuilder().setUpdate(document).build()));
  }

  private void write(ByteString id, DocumentName name) {
    var unused = transactions.commit(id, writeOf(name), CommitGate.OPEN);
  }

  private boolean exists(DocumentName name) {
    return database.read(snapshot -> snapshot.get(name)) != null;
  }

  /** Returns whether a write outside of all transactions would not have to wait. */
  private boolean isFree(DocumentName name) {
    return transactions.startUnlessLocked(writeOf(name), CommitGate.OPEN).isPresent();
  }

  private void pass(long seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  private void assertOver(ByteString id) {
    assertThatThrownBy(() -> transactions.reading(id)).hasMessage(OVER);
  }

  @Test
  void thoseThatAreOpenCanBeSeenAndEndedAllAtOnce() {
    assertThat(transactions.isIdle()).isTrue();
    transactions.reading(begin()).willRead(List.of(X));
    pass(3);
    ByteString optimistic = beginOptimistic();
    pass(2);
    assertThat(transactions.open())
        .containsExactly(
            new OpenTransaction(
                1,
                "pessimistic",
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                List.of(X.path()),
                false),
            new OpenTransaction(
                2, "optimistic", Duration.ofSeconds(2), Duration.ofSeconds(2), List.of(), false));
    assertThat(transactions.isIdle()).isFalse();
    assertThat(isFree(X)).isFalse();
    transactions.endAll();
    assertThat(transactions.isIdle()).isTrue();
    assertThat(transactions.open()).isEmpty();
    assertThat(isFree(X)).isTrue();
    assertThat(isFree(X)).as("its own locks are given back").isTrue();
    assertOver(optimistic);
  }

  @Test
  void useKeepsATransactionUntilItHasTakenTooLong() {
    ByteString id = begin();
    for (int i = 0; i < 4; i++) {
      pass(60);
      transactions.expire();
      transactions.reading(id).willRead(List.of(X));
    }
    pass(30);
    transactions.reading(id).willRead(List.of(X));
    pass(1);
    assertOver(id);
    assertThat(transactions.isIdle()).as("whoever finds that out ends it").isTrue();
    assertThat(isFree(X)).isTrue();
  }

  @Test
  void aReadThatBeginsATransactionEndsItWhenItFails() {
    Reading reading = transactions.readingInNew(TransactionOptions.getDefaultInstance());
    ByteString id = reading.newTransaction();
    transactions.reading(id).willRead(List.of(X));
    assertThatThrownBy(() -> reading.in(database, snapshot -> {
          throw new IllegalStateException("broken");
        }))
        .hasMessage("broken");
    assertOver(id);
    assertThat(isFree(X)).isTrue();
  }

  @Test
  void aReadThatIsDeniedEndsItsTransactionAndAnyOtherFailureDoesNot() {
    ByteString id = begin();
    assertThatThrownBy(() -> transactions.reading(id).in(database, snapshot -> {
          throw new FirestoreServerException(Code.NOT_FOUND, "nothing");
        }))
        .hasMessage("nothing");
    Reading reading = transactions.reading(id);
    assertThat(reading.newTransaction()).isEqualTo(ByteString.EMPTY);
    assertThat(reading.micros()).isEmpty();
    assertThatThrownBy(() -> reading.in(database, snapshot -> {
          throw new FirestoreServerException(Code.PERMISSION_DENIED, "no");
        }))
        .hasMessage("no");
    assertOver(id);
  }

  @Test
  void aTransactionThatCannotGetALockIsOver() throws Exception {
    ByteString reader = begin();
    ByteString older = begin();
    transactions.reading(reader).willRead(List.of(X));
    // A commit waits for the reader, and whoever comes later behind the commit.
    Thread writer = new Thread(() -> write(older, X));
    writer.start();
    while (!isWaiting(older)) {
      Thread.onSpinWait();
    }
    Reading reading = transactions.readingInNew(TransactionOptions.getDefaultInstance());
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> reading.willRead(List.of(X))).hasMessage("Transaction lock timeout.");
    assertThat(Thread.interrupted()).isTrue();
    assertOver(reading.newTransaction());
    transactions.rollback(reader);
    writer.join(30_000);
    assertThat(exists(X)).isTrue();
  }

  private boolean isWaiting(ByteString id) {
    long number = TransactionId.parse(id).orElseThrow().number();
    return transactions.open().stream().anyMatch(t -> t.number() == number && t.waiting());
  }

  @Test
  void aGateCanRefuseTheCommitOfATransaction() {
    ByteString id = begin();
    assertThatThrownBy(() -> transactions.commit(id, writeOf(X), (present, micros, writes) -> {
          throw new FirestoreServerException(Code.PERMISSION_DENIED, "no");
        }))
        .hasMessage("no");
    assertThat(exists(X)).isFalse();
    assertOver(id);
  }

  @Test
  void whatIsEndedBeforeItsCommitIsDecidedWritesNothing() {
    ByteString id = begin();
    assertThatThrownBy(() -> transactions.commit(
            id, writeOf(X), (present, micros, writes) -> transactions.rollback(id)))
        .hasMessage(OVER);
    assertThat(exists(X)).isFalse();
  }

  @Test
  void aQueryOfAnOptimisticTransactionIsDisturbedByItsOwnCollectionsOnly() {
    ByteString one = beginOptimistic();
    ByteString all = beginOptimistic();
    ByteString other = beginOptimistic();
    assertThat(transactions.reading(one).micros()).isPresent();
    transactions.reading(one).willQuery("c");
    transactions.reading(all).willQuery("");
    transactions.reading(other).willQuery("somewhere");
    transactions.reading(other).willRead(List.of(ELSEWHERE));
    write(ByteString.EMPTY, X);
    assertThatThrownBy(() -> write(one, ELSEWHERE)).hasMessageContaining("contention");
    assertThatThrownBy(() -> write(all, ELSEWHERE)).hasMessageContaining("contention");
    assertThat(exists(ELSEWHERE)).isFalse();
    write(other, ELSEWHERE);
    assertThat(exists(ELSEWHERE)).isTrue();
  }

  @Test
  void thereIsALimitToThoseThatAreOpen() {
    for (int i = 0; i < 10_000; i++) {
      begin();
    }
    assertThatThrownBy(this::begin)
        .isInstanceOfSatisfying(
            FirestoreServerException.class,
            e -> assertThat(e.code()).isEqualTo(Code.RESOURCE_EXHAUSTED));
  }

  @Test
  void aCommitOutsideOfTransactionsTellsItsTime() {
    assertThat(transactions.commit(ByteString.EMPTY, writeOf(X), CommitGate.OPEN))
        .isNotNull();
  }

  @Test
  void idsOfAnotherServerAreNotOurs() {
    begin();
    for (TransactionId id : List.of(
        new TransactionId(41, 1, 1), new TransactionId(42, 0, 0), new TransactionId(42, 2, 1))) {
      assertThatThrownBy(() -> transactions.reading(id.toBytes()))
          .hasMessage("Transaction is invalid or expired.");
    }
    transactions.reading(new TransactionId(42, 1, 1).toBytes()).willRead(List.of(X));
  }

  @Test
  void whoeverReadsInATransactionThatHasEndedMeanwhileHoldsNothing() {
    ByteString id = begin();
    Reading reading = transactions.reading(id);
    transactions.rollback(id);
    assertThatThrownBy(() -> reading.willRead(List.of(X))).hasMessage(OVER);
    assertThat(isFree(X)).isTrue();
  }

  @Test
  void aQueryOverAllCollectionsHoldsAllOfThemStill() {
    ByteString id = begin();
    transactions.reading(id).willQuery("");
    assertThat(isFree(X)).isFalse();
    transactions.rollback(id);
    assertThat(isFree(X)).isTrue();
  }

  @Test
  void aReadOnlyTransactionReadsOneSnapshotAndEndsWithACommitOfNothing() {
    ByteString id = transactions.begin(TransactionOptions.newBuilder()
        .setReadOnly(TransactionOptions.ReadOnly.getDefaultInstance())
        .build());
    assertThat(transactions.open()).extracting(OpenTransaction::kind).containsExactly("read-only");
    Reading reading = transactions.reading(id);
    reading.willRead(List.of(X));
    reading.willQuery("c");
    write(ByteString.EMPTY, X);
    assertThat(reading.micros()).isPresent();
    assertThat(reading.<Boolean>in(database, snapshot -> snapshot.get(X) == null))
        .isTrue();
    assertThat(transactions.commit(id, List.of(), CommitGate.OPEN)).isNotNull();
    assertOver(id);
  }

  @Test
  void readsOutsideOfTransactionsHoldNothing() {
    Reading.latest().willRead(List.of(X));
    assertThat(isFree(X)).isTrue();
    assertThat(Reading.latest().micros()).isEmpty();
    assertThat(Reading.at(1_000).micros()).hasValue(1_000);
  }

  @Test
  void timeoutsArePositive() {
    Duration second = Duration.ofSeconds(1);
    Duration less = Duration.ofSeconds(-1);
    assertThatThrownBy(() -> settings(less, second, second)).hasMessageContaining("positive");
    assertThatThrownBy(() -> settings(Duration.ZERO, second, second))
        .hasMessageContaining("positive");
    assertThatThrownBy(() -> settings(second, less, second)).hasMessageContaining("positive");
    assertThatThrownBy(() -> settings(second, second, less)).hasMessageContaining("positive");
  }

  private static TransactionSettings settings(Duration lock, Duration idle, Duration total) {
    return new TransactionSettings(Concurrency.PESSIMISTIC, lock, idle, total);
  }
}
