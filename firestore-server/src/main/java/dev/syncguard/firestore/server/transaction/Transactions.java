package dev.syncguard.firestore.server.transaction;

import com.google.firestore.v1.TransactionOptions;
import com.google.firestore.v1.TransactionOptions.ReadWrite;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.CommitResult;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.PendingCommit;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.value.Times;
import dev.syncguard.firestore.server.write.PlannedWrite;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The open transactions of one database, and the way for every commit into it. Thread-safe. */
public final class Transactions {
  private static final int MAX_OPEN = 10_000;

  private final Database database;
  private final TransactionSettings settings;
  private final LongSupplier nanoTime;
  private final LockTable locks;
  private final long issuer;
  private final AtomicLong lastNumber = new AtomicLong();
  private final Map<Long, Transaction> open = new ConcurrentHashMap<>();

  /** @param issuer a random number that tells this server run and database from others */
  public Transactions(
      Database database, TransactionSettings settings, LongSupplier nanoTime, long issuer) {
    this.database = database;
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.issuer = issuer;
    this.locks = new LockTable(settings.lockTimeout());
  }

  /** Starts a transaction and returns its id. */
  public ByteString begin(TransactionOptions options) {
    if (open.size() >= MAX_OPEN) {
      throw new FirestoreServerException(Code.RESOURCE_EXHAUSTED, "Too many open transactions.");
    }
    long number = lastNumber.incrementAndGet();
    ByteString retried = options.getReadWrite().getRetryTransaction();
    long priority = retried.isEmpty() ? number : Math.min(number, parse(retried).priority());
    open.put(number, create(options, priority));
    database.requireOpen(); // asked last: from here on it cannot be closed any more
    return new TransactionId(issuer, number, priority).toBytes();
  }

  private Transaction create(TransactionOptions options, long priority) {
    long now = nanoTime.getAsLong();
    if (options.hasReadOnly()) {
      OptionalLong at = options.getReadOnly().hasReadTime()
          ? OptionalLong.of(Times.alignedMicros(options.getReadOnly().getReadTime(), "read_time"))
          : OptionalLong.empty();
      return new ReadOnlyTransaction(database.read(at, Snapshot::micros), now);
    }
    return isOptimistic(options.getReadWrite())
        ? new OptimisticTransaction(database.read(Snapshot::micros), now)
        : new LockingTransaction(locks, new LockOwner(priority), now);
  }

  private boolean isOptimistic(ReadWrite options) {
    return switch (options.getConcurrencyMode()) {
      case OPTIMISTIC -> true;
      case PESSIMISTIC -> false;
      default -> settings.concurrency() == Concurrency.OPTIMISTIC;
    };
  }

  /** Returns how to read inside the transaction. A lock that it cannot get ends it. */
  public Reading reading(ByteString id) {
    TransactionId parsed = parse(id);
    return new Reading(find(parsed), ByteString.EMPTY, () -> end(parsed));
  }

  /** Starts a transaction and returns how to read inside it. */
  public Reading readingInNew(TransactionOptions options) {
    ByteString id = begin(options);
    TransactionId parsed = parse(id);
    return new Reading(find(parsed), id, () -> end(parsed));
  }

  /** Ends the transaction without a commit. One that is already over stays so. */
  public void rollback(ByteString id) {
    end(parse(id));
  }

  /** Applies all writes in the transaction, or outside of any if the id is empty, and ends it. */
  public CommitResult commit(ByteString id, List<PlannedWrite> writes, CommitGate gate) {
    return id.isEmpty() ? commitAlone(writes, gate) : commitIn(parse(id), writes, gate);
  }

  private CommitResult commitAlone(List<PlannedWrite> writes, CommitGate gate) {
    return startAlone(writes, gate).await();
  }

  /** Applies all writes outside of any transaction; the caller must wait until they are safe. */
  public PendingCommit startAlone(List<PlannedWrite> writes, CommitGate gate) {
    LockOwner owner = new LockOwner(lastNumber.incrementAndGet());
    locks.acquire(owner, LockingTransaction.writeLocks(names(writes)));
    try {
      return database.start(writes, gate);
    } finally {
      locks.release(owner);
    }
  }

  /** Does the same unless it would have to wait for a lock; then it does nothing and returns nothing. */
  public Optional<PendingCommit> startUnlessLocked(List<PlannedWrite> writes, CommitGate gate) {
    LockOwner owner = new LockOwner(lastNumber.incrementAndGet());
    if (!locks.tryAcquire(owner, LockingTransaction.writeLocks(names(writes)))) {
      return Optional.empty();
    }
    try {
      return Optional.of(database.start(writes, gate));
    } finally {
      locks.release(owner);
    }
  }

  private CommitResult commitIn(TransactionId id, List<PlannedWrite> writes, CommitGate gate) {
    Transaction transaction = find(id);
    if (transaction instanceof ReadOnlyTransaction) {
      transaction.willWrite(names(writes)); // refused, but not ended
    }
    transaction.startCommit();
    try {
      transaction.willWrite(names(writes));
      CommitGate still = transaction.gate();
      return database.commit(writes, (present, micros, staged) -> {
        still.check(present, micros, staged);
        gate.check(present, micros, staged);
        transaction.decideCommit();
      });
    } finally {
      end(id);
    }
  }

  /** Ends the transactions that were left alone for too long or have taken too long. */
  public void expire() {
    long now = nanoTime.getAsLong();
    long idle = settings.idleTimeout().toNanos();
    long total = settings.totalTimeout().toNanos();
    open.forEach((number, transaction) -> {
      if (transaction.isExpired(now, idle, total) && open.remove(number, transaction)) {
        transaction.end();
      }
    });
  }

  /** Returns the transactions that are open, for people who debug. */
  public List<OpenTransaction> open() {
    long now = nanoTime.getAsLong();
    return open.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getValue().describe(entry.getKey(), now))
        .toList();
  }

  /** Returns whether there are no transactions. */
  public boolean isIdle() {
    return open.isEmpty();
  }

  /** Ends all transactions. */
  public void endAll() {
    open.keySet().forEach(number -> end(new TransactionId(issuer, number, number)));
  }

  private Transaction find(TransactionId id) {
    Transaction transaction = open.get(id.number());
    long now = nanoTime.getAsLong();
    if (transaction == null) {
      throw Transaction.over();
    }
    if (transaction.isExpired(
        now, settings.idleTimeout().toNanos(), settings.totalTimeout().toNanos())) {
      end(id);
      throw Transaction.over();
    }
    transaction.use(now);
    return transaction;
  }

  private void end(TransactionId id) {
    Transaction transaction = open.remove(id.number());
    if (transaction != null) {
      transaction.end();
    }
  }

  private TransactionId parse(ByteString bytes) {
    TransactionId id = TransactionId.parse(bytes)
        .orElseThrow(() -> FirestoreServerException.invalid("Invalid transaction."));
    if (id.issuer() != issuer || id.number() < 1 || id.number() > lastNumber.get()) {
      throw FirestoreServerException.invalid("Transaction is invalid or expired.");
    }
    return id;
  }

  private static List<DocumentName> names(List<PlannedWrite> writes) {
    return writes.stream().map(PlannedWrite::name).distinct().toList();
  }
}
