package dev.syncguard.firestore.server.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Precondition;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lock timeout is an hour here: whatever ends, ends because the transactions were sorted out. */
@Timeout(60)
class TransactionsTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private static final DocumentName X = DocumentName.parse(NAME.documents() + "/c/x");
  private static final DocumentName Y = DocumentName.parse(NAME.documents() + "/c/y");
  private static final Duration HOUR = Duration.ofHours(1);

  private final AtomicLong nanos = new AtomicLong();
  private final Database database = new Database(
      NAME,
      Journal.NONE,
      InstantSource.system(),
      IndexPolicy.EVERYTHING,
      Database.HistoryLimits.DEFAULT);
  private final Transactions transactions = open(HOUR, Concurrency.PESSIMISTIC);

  private Transactions open(Duration lockTimeout, Concurrency concurrency) {
    return new Transactions(
        database,
        new TransactionSettings(
            concurrency, lockTimeout, Duration.ofSeconds(60), Duration.ofSeconds(270)),
        nanos::get,
        42);
  }

  /** Runs the call in a thread of its own: those of a pool may be too few for calls that wait for each other. */
  private static <T> CompletableFuture<T> beside(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, work -> new Thread(work).start());
  }

  @Test
  void twoThatReadAndThenWriteTheSameDocumentAreSortedOutAtOnceAndTheOlderWins() throws Exception {
    ByteString older = begin(transactions);
    ByteString younger = begin(transactions);
    read(transactions, older, X);
    read(transactions, younger, X);
    CompletableFuture<CommitResult> youngerCommit = beside(() -> set(transactions, younger, X, 2));
    CompletableFuture<CommitResult> olderCommit = beside(() -> set(transactions, older, X, 1));
    olderCommit.get(30, TimeUnit.SECONDS);
    assertThatThrownBy(() -> youngerCommit.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            FirestoreServerException.class, e -> assertThat(e.code()).isEqualTo(Code.ABORTED));
    assertThat(value(X)).isEqualTo(1);
  }

  @Test
  void aCycleOverTwoDocumentsIsSortedOutAtOnce() throws Exception {
    ByteString first = begin(transactions);
    ByteString second = begin(transactions);
    read(transactions, first, X);
    read(transactions, second, Y);
    CompletableFuture<CommitResult> secondCommit = beside(() -> set(transactions, second, X, 2));
    CompletableFuture<CommitResult> firstCommit = beside(() -> set(transactions, first, Y, 1));
    firstCommit.get(30, TimeUnit.SECONDS);
    assertThatThrownBy(() -> secondCommit.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(FirestoreServerException.class);
  }

  @Test
  void aRetryKeepsThePriorityOfItsFirstAttempt() throws Exception {
    ByteString lost = begin(transactions);
    transactions.rollback(lost);
    ByteString rival = begin(transactions);
    ByteString retry = transactions.begin(TransactionOptions.newBuilder()
        .setReadWrite(TransactionOptions.ReadWrite.newBuilder().setRetryTransaction(lost))
        .build());
    read(transactions, rival, X);
    read(transactions, retry, X);
    CompletableFuture<CommitResult> rivalCommit = beside(() -> set(transactions, rival, X, 1));
    set(transactions, retry, X, 2);
    assertThatThrownBy(() -> rivalCommit.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(FirestoreServerException.class);
    assertThat(value(X)).isEqualTo(2);
  }

  @Test
  void aWriteWithoutTransactionWaitsForTheReaderAndThenHappens() throws Exception {
    ByteString reader = begin(transactions);
    read(transactions, reader, X);
    CompletableFuture<CommitResult> write = beside(() -> set(transactions, ByteString.EMPTY, X, 7));
    assertThat(value(X)).as("plain reads never wait").isEqualTo(-1);
    assertThat(write).isNotDone();
    transactions.rollback(reader);
    write.get(30, TimeUnit.SECONDS);
    assertThat(value(X)).isEqualTo(7);
  }

  @Test
  void aPhantomIsRefusedTwentyTimesOfTwenty() throws Exception {
    Transactions impatient = open(Duration.ofMillis(1), Concurrency.PESSIMISTIC);
    for (int i = 0; i < 20; i++) {
      ByteString reader = begin(impatient);
      impatient.reading(reader).willQuery("c");
      DocumentName phantom = DocumentName.parse(NAME.documents() + "/c/phantom" + i);
      assertThatThrownBy(() -> set(impatient, ByteString.EMPTY, phantom, 1))
          .hasMessage("Transaction lock timeout.");
      set(impatient, ByteString.EMPTY, DocumentName.parse(NAME.documents() + "/other/x"), i);
      impatient.rollback(reader);
    }
  }

  @Test
  void anIdleTransactionExpiresAndLetsOthersIn() {
    ByteString idle = begin(transactions);
    read(transactions, idle, X);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
    transactions.expire();
    set(transactions, ByteString.EMPTY, X, 1);
    assertThatThrownBy(() -> set(transactions, idle, X, 2))
        .hasMessage("The referenced transaction has expired or is no longer valid.");
  }

  @Test
  void idsThatWereNeverIssuedAreToldFromThoseThatAreOver() {
    ByteString over = begin(transactions);
    transactions.rollback(over);
    transactions.rollback(over);
    assertThatThrownBy(() -> transactions.reading(over)).hasMessageContaining("no longer valid");
    assertThatThrownBy(() -> transactions.reading(new TransactionId(42, 999, 999).toBytes()))
        .hasMessage("Transaction is invalid or expired.");
    assertThatThrownBy(() -> transactions.reading(ByteString.copyFromUtf8("junk")))
        .hasMessage("Invalid transaction.");
  }

  @Test
  void aFailedPreconditionEndsTheTransactionAndAReadOnlyOneSurvivesARefusedWrite() {
    ByteString failing = begin(transactions);
    Write missing = Write.newBuilder()
        .setUpdate(Document.newBuilder().setName(X.toString()))
        .setCurrentDocument(Precondition.newBuilder().setExists(true))
        .build();
    assertThatThrownBy(() -> commit(transactions, failing, missing))
        .hasMessageContaining("No document to update");
    assertThatThrownBy(() -> transactions.reading(failing)).hasMessageContaining("no longer valid");

    ByteString readOnly = transactions.begin(TransactionOptions.newBuilder()
        .setReadOnly(TransactionOptions.ReadOnly.getDefaultInstance())
        .build());
    assertThatThrownBy(() -> set(transactions, readOnly, X, 1))
        .hasMessage("Cannot modify entities in a read-only transaction.");
    transactions.reading(readOnly);
  }

  @Test
  void anOptimisticTransactionFailsIfWhatItReadHasChanged() {
    Transactions optimistic = open(HOUR, Concurrency.OPTIMISTIC);
    ByteString first = begin(optimistic);
    read(optimistic, first, X);
    set(optimistic, ByteString.EMPTY, X, 1);
    assertThatThrownBy(() -> set(optimistic, first, Y, 1)).hasMessageContaining("contention");
    ByteString second = begin(optimistic);
    read(optimistic, second, X);
    set(optimistic, second, X, 5);
    assertThat(value(X)).isEqualTo(5);
  }

  private static ByteString begin(Transactions transactions) {
    return transactions.begin(TransactionOptions.getDefaultInstance());
  }

  private static void read(Transactions transactions, ByteString id, DocumentName name) {
    transactions.reading(id).willRead(List.of(name));
  }

  private static CommitResult set(
      Transactions transactions, ByteString id, DocumentName name, long value) {
    return commit(
        transactions,
        id,
        Write.newBuilder()
            .setUpdate(
                Document.newBuilder().setName(name.toString()).putFields("v", Values.of(value)))
            .build());
  }

  private static CommitResult commit(Transactions transactions, ByteString id, Write write) {
    return transactions.commit(id, new WritePlanner(NAME).plan(List.of(write)), CommitGate.OPEN);
  }

  private long value(DocumentName name) {
    Document document = database.read(snapshot -> snapshot.get(name));
    return document == null ? -1 : document.getFieldsOrThrow("v").getIntegerValue();
  }
}
