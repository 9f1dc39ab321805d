package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.write.PlannedWrite;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One database: its documents, their recent past, and the one place at which commits happen. Threads may share it.
 *
 * <p>Readers share a lock and a commit takes it alone, for as long as it takes to change maps in memory. A reader
 * therefore sees all of a commit or nothing of it, and what it sees is already safe on disk when it gets its answer:
 * reads wait for the journal like commits do.
 */
public final class Database {
  private final DatabaseName name;
  private final Journal journal;
  private final CommitClock clock;
  private final IndexPolicy policy;
  private final DocumentStore store;
  private final History history;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final List<Consumer<Commit>> observers = new CopyOnWriteArrayList<>();
  private Journal.Receipt lastReceipt = Journal.Receipt.DONE;
  private long lastCommit;
  private volatile @Nullable String closed;

  public Database(
      DatabaseName name,
      Journal journal,
      InstantSource time,
      IndexPolicy policy,
      HistoryLimits limits) {
    this.name = name;
    this.journal = journal;
    this.clock = new CommitClock(time);
    this.policy = policy;
    this.store = new DocumentStore(policy);
    long retention = limits.retention().toNanos() / 1000;
    this.history =
        new History(retention, limits.maxChanges(), limits.maxBytes(), clock.now() - retention);
  }

  /** How much of the past is kept: at most so long, so many changes of documents and so many bytes. */
  public record HistoryLimits(Duration retention, int maxChanges, long maxBytes) {
    /** One hour, as Firestore documents it, and enough changes for a test suite; less if the heap is small. */
    public static final HistoryLimits DEFAULT = new HistoryLimits(
        Duration.ofHours(1), 200_000, Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 8));
  }

  public DatabaseName name() {
    return name;
  }

  /** Returns whether no document exists at present. */
  public boolean isEmpty() {
    lock.readLock().lock();
    try {
      return !store.holdsDocuments();
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Closes a database that holds no document and that nobody observes, and returns whether it did. Whoever still has it
   * is told to try again, and then finds a new one.
   *
   * @param idle whether nothing else needs it; asked once nothing new can begin
   */
  public boolean closeIfEmpty(BooleanSupplier idle) {
    lock.writeLock().lock();
    try {
      if (closed != null || !observers.isEmpty() || store.holdsDocuments()) {
        return false;
      }
      closed = "The empty database was closed to make room; nothing was changed, try again.";
      if (!idle.getAsBoolean()) {
        closed = null;
      }
      return closed != null;
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Reads the present. */
  public <T> T read(Function<Snapshot, T> reader) {
    return read(OptionalLong.empty(), reader);
  }

  /** Reads the database as it was at the time, or the present. */
  public <T> T read(OptionalLong micros, Function<Snapshot, T> reader) {
    Journal.Receipt receipt;
    T result;
    lock.readLock().lock();
    try {
      receipt = lastReceipt;
      result = reader.apply(micros.isPresent() ? past(micros.getAsLong()) : present());
    } finally {
      lock.readLock().unlock();
    }
    receipt.await();
    return result;
  }

  /** Applies all writes at one new instant, or none of them, and waits until they are safe. */
  public CommitResult commit(List<PlannedWrite> writes, CommitGate gate) {
    return start(writes, gate).await();
  }

  /** Applies all writes at one new instant, or none of them; the caller must wait until they are safe. */
  public PendingCommit start(List<PlannedWrite> writes, CommitGate gate) {
    lock.writeLock().lock();
    try {
      Snapshot present = present();
      long micros = clock.nextCommit();
      Staging staging = new Staging(present, micros);
      writes.forEach(staging::add);
      staging.checkIndexEntries(policy);
      gate.check(present, micros, staging.writes());
      staging.checkPreconditions();
      install(new Commit(micros, staging.changes()));
      return new PendingCommit(new CommitResult(micros, staging.results()), lastReceipt);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Deletes every document at or below the path; an empty path means all of them. */
  public void clear(String path) {
    Journal.Receipt receipt;
    lock.writeLock().lock();
    try {
      requireOpen();
      List<Change> changes = new ArrayList<>();
      for (StoredCollection collection : store.below("")) {
        for (DocumentCell cell : collection.cells().values()) {
          if (cell.current() != null && isWithin(cell.name.path(), path)) {
            changes.add(new Change(cell.name, cell.current(), null));
          }
        }
      }
      install(new Commit(clock.nextCommit(), changes));
      receipt = lastReceipt;
    } finally {
      lock.writeLock().unlock();
    }
    receipt.await();
  }

  /** Takes back a commit that the journal had kept, without writing it again. */
  public void replay(Commit commit) {
    lock.writeLock().lock();
    try {
      clock.advanceTo(commit.micros());
      apply(commit);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Makes the past before this time unreadable, because nobody knows it any more. */
  public void startHistoryAt(long micros) {
    lock.writeLock().lock();
    try {
      clock.advanceTo(micros);
      history.startAt(micros);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Shows the present to the reader, and from then on every commit to the observer, leaving out none. */
  public Runnable observe(Consumer<Snapshot> reader, Consumer<Commit> observer) {
    lock.readLock().lock();
    try {
      reader.accept(present());
      observers.add(observer);
    } finally {
      lock.readLock().unlock();
    }
    return () -> observers.remove(observer);
  }

  /** Shows all documents of the present while no commit can happen. */
  public <T> T freeze(BiFunction<Long, List<Document>, T> reader) {
    lock.readLock().lock();
    try {
      List<Document> documents = new ArrayList<>();
      for (StoredCollection collection : store.below("")) {
        for (DocumentCell cell : collection.cells().values()) {
          Document document = cell.current();
          if (document != null) {
            documents.add(document);
          }
        }
      }
      return reader.apply(clock.readTime(), documents);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Waits until everything that can be seen now is safe. */
  public void awaitDurable() {
    read(snapshot -> snapshot);
  }

  private void install(Commit commit) {
    if (commit.changes().isEmpty()) {
      return;
    }
    lastReceipt = journal.append(commit);
    try {
      apply(commit);
    } catch (Throwable e) { // half of a commit is in memory; all of it will be after a restart
      closed = "A commit could not be applied; start the server again.";
      throw e;
    }
    observers.forEach(observer -> observer.accept(commit));
  }

  private void apply(Commit commit) {
    for (Change change : commit.changes()) {
      store.put(change.name(), commit.micros(), change.after(), history);
    }
    lastCommit = commit.micros();
    history.expire(clock.now(), cell -> store.forget(cell, history.horizon()));
  }

  private Snapshot present() {
    requireOpen();
    return new Snapshot(store, history, clock.readTime(), true);
  }

  /** Throws if the database was closed. */
  public void requireOpen() {
    String reason = closed;
    if (reason != null) {
      throw new FirestoreServerException(Code.UNAVAILABLE, reason);
    }
  }

  private Snapshot past(long micros) {
    requireOpen();
    if (micros > clock.now() && micros > lastCommit) {
      throw FirestoreServerException.invalid("The requested read_time lies in the future.");
    }
    if (micros < history.horizon() || micros < clock.now() - history.retentionMicros()) {
      throw FirestoreServerException.failedPrecondition(
          "The requested snapshot version is too old.");
    }
    clock.advanceTo(micros);
    return new Snapshot(store, history, micros, micros >= lastCommit);
  }

  private static boolean isWithin(String documentPath, String path) {
    return path.isEmpty() || documentPath.equals(path) || documentPath.startsWith(path + "/");
  }
}
