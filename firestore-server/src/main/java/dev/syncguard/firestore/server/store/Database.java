package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.write.PlannedWrite;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One database: its documents, their recent past, and the one place at which commits happen. Thread-safe.
 *
 * <p>Commits come one after the other. A reader sees all of a commit or nothing of it, waits for no commit and holds none
 * up. What it sees is already safe on disk when it gets its answer: reads wait for the journal like commits do.
 */
public final class Database {
  private final DatabaseName name;
  private final Journal journal;
  private final IndexPolicy policy;
  private final KeySpace keys;
  private final SharedDocuments documents;
  private final History history;
  private final CommitWriter writer;
  private final Timeline timeline;
  private final boolean isNew;
  private final ReentrantLock commits = new ReentrantLock();
  private final Observers observers = new Observers();
  private Journal.Receipt lastReceipt = Journal.Receipt.DONE;
  private long lastCommit;
  private volatile @Nullable String closed;

  /** Creates a database that takes up what the journal's working file has, and writes every commit to the journal. */
  public Database(
      DatabaseName name,
      Journal journal,
      InstantSource time,
      IndexPolicy policy,
      HistoryLimits limits) {
    this.name = name;
    this.journal = journal;
    this.policy = policy;
    Journal.Workplace workplace = journal.workplace();
    this.keys = workplace == null
        ? KeySpace.inMemory()
        : KeySpace.open(workplace.file(), workplace.memory());
    this.timeline = new Timeline(time, new Published(keys.root(), 0, 0, Journal.Receipt.DONE));
    long retention = limits.retention().toNanos() / 1000;
    this.history = new History(keys, limits, timeline.now() - retention);
    this.documents = new SharedDocuments(name);
    this.writer = new CommitWriter(keys, policy, history, documents);
    this.isNew = !resume();
    publish();
  }

  /** Takes up what an earlier run left in the file, and returns whether it did; indexes of another kind are of no use. */
  private boolean resume() {
    KeySpace.Root root = keys.root();
    try {
      byte[] bytes = root.get(Keys.state());
      FileState state = bytes == null ? null : FileState.of(bytes);
      if (state == null || !state.fingerprint().equals(policy.fingerprint())) {
        keys.clear();
        return false;
      }
      lastCommit = state.lastCommit();
      timeline.advanceTo(state.lastTime());
      history.startAt(state.horizon());
      history.count(root);
      return true;
    } finally {
      root.release();
    }
  }

  /** Returns whether the database began empty, and not with what an earlier run had left in its file. */
  public boolean isNew() {
    return isNew;
  }

  /** Writes out the file that the database works on, and returns whether it is whole. Nobody can read any more. */
  public boolean close() {
    commits.lock();
    try {
      if (closed != null) {
        abandon();
        return false;
      }
      closed = "The server is stopping.";
      FileState state =
          new FileState(lastCommit, timeline.close(), history.horizon(), policy.fingerprint());
      keys.put(Keys.state(), state.toBytes());
      keys.close();
      return true;
    } finally {
      commits.unlock();
    }
  }

  /** Gives up the file that the database works on, as it is. */
  public void abandon() {
    closed = closed == null ? "The server is stopping." : closed;
    keys.abandon();
  }

  /** How much of the past is kept: at most so long, so many changes of documents and so many bytes. */
  public record HistoryLimits(Duration retention, int maxChanges, long maxBytes) {
    /** One hour, as Firestore documents it, and enough changes for a test suite; less if the heap is small. */
    public static final HistoryLimits DEFAULT = new HistoryLimits(
        Duration.ofHours(1), 200_000, Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 8));
  }

  /** Returns whether all of it is in memory and nothing has to reach a disk, so that no read of the present waits. */
  public boolean isInMemory() {
    return journal == Journal.NONE;
  }

  /** Returns the name under which it is served. */
  public DatabaseName name() {
    return name;
  }

  /** Returns whether no document exists at present. */
  public boolean isEmpty() {
    Timeline.Moment moment = timeline.present();
    try {
      return isEmpty(moment.published().root());
    } finally {
      moment.published().root().release();
    }
  }

  private static boolean isEmpty(KeySpace.Root root) {
    return root.isEmpty(Keys.documents(), Keys.afterAll(Keys.documents()));
  }

  /**
   * Closes a database that holds no document and that nobody uses who observes it, and returns whether it did. Whoever still has it
   * is told to try again, and then finds a new one.
   *
   * @param idle whether nothing else needs it; asked once nothing new can begin
   */
  public boolean closeIfEmpty(BooleanSupplier idle) {
    commits.lock();
    try {
      if (closed != null || observers.hasUsers() || !isEmpty()) {
        return false;
      }
      closed = "The empty database was closed to make room; nothing was changed, try again.";
      if (!idle.getAsBoolean()) {
        closed = null;
      }
      return closed != null;
    } finally {
      commits.unlock();
    }
  }

  /** Reads the present. */
  public <T> T read(Function<Snapshot, T> reader) {
    return read(OptionalLong.empty(), reader);
  }

  /** Reads the database as it was at the time, or the present. */
  public <T> T read(OptionalLong micros, Function<Snapshot, T> reader) {
    requireOpen();
    Timeline.Moment moment = micros.isPresent()
        ? timeline.past(micros.getAsLong(), history.retentionMicros())
        : timeline.present();
    T result;
    try {
      result = reader.apply(snapshot(moment));
    } finally {
      moment.published().root().release();
    }
    moment.published().receipt().await();
    return result;
  }

  private Snapshot snapshot(Timeline.Moment moment) {
    return new Snapshot(name, policy, documents, moment.published(), moment.micros());
  }

  /** Applies all writes at one new instant, or none of them, and waits until they are safe. */
  public CommitResult commit(List<PlannedWrite> writes, CommitGate gate) {
    return start(writes, gate).await();
  }

  /** Applies all writes at one new instant, or none of them; the caller must wait until they are safe. */
  public PendingCommit start(List<PlannedWrite> writes, CommitGate gate) {
    return exclusively(moment -> {
      Snapshot present = snapshot(moment);
      long micros = timeline.begin();
      Staging staging = new Staging(present, micros);
      writes.forEach(staging::add);
      staging.checkIndexEntries(policy);
      gate.check(present, micros, staging.writes());
      staging.checkPreconditions();
      install(new Commit(micros, staging.changes(), gate.isQuiet()));
      return new PendingCommit(new CommitResult(micros, staging.results()), lastReceipt);
    });
  }

  /**
   * Deletes every document at or below the path; an empty path means all of them. Many are deleted in several commits, one
   * right after the other, so that they need not fit into memory together.
   *
   * @param quiet whether triggers are not told of it
   */
  public void clear(String path, boolean quiet) {
    commits.lock();
    try {
      while (clearSome(path, quiet)) {
        awaitDurable(); // or the log would have to remember all of them
      }
    } finally {
      commits.unlock();
    }
    awaitDurable();
  }

  /** Returns whether there may be more. */
  private boolean clearSome(String path, boolean quiet) {
    return exclusively(moment -> {
      Clearing clearing = Clearing.next(snapshot(moment), path);
      install(new Commit(timeline.begin(), clearing.changes(), quiet));
      return clearing.more();
    });
  }

  /** Runs alone among commits; one that was begun and not installed leaves no trace. */
  private <T> T exclusively(Function<Timeline.Moment, T> task) {
    commits.lock();
    try {
      requireOpen();
      Timeline.Moment moment = timeline.present();
      try {
        return task.apply(moment);
      } finally {
        timeline.end();
        moment.published().root().release();
      }
    } finally {
      commits.unlock();
    }
  }

  /**
   * Fills a database that is empty and that nobody uses yet, with any number of documents. They are seen all at one instant;
   * if that fails, the database is closed without them. Nothing is written to the journal.
   *
   * @param source hands over documents that do not exist, one at a time
   */
  public void fill(Consumer<Consumer<PlannedWrite>> source) {
    exclusively(moment -> {
      long micros = timeline.begin();
      closed = "The database could not be filled; start the server again.";
      source.accept(write -> {
        Document document = Objects.requireNonNull(write.apply(null, micros).after());
        IndexEntryLimit.check(document, write.name().collectionId(), policy);
        writer.load(write.name().path(), document);
      });
      startHistoryAt(micros);
      closed = null;
      return micros;
    });
  }

  /** Takes back a commit that the journal had kept, without writing it again; observers are told of it as if it came now. */
  public void replay(Commit commit) {
    exclusively(moment -> {
      Commit whole = observers.isEmpty() ? commit : commit.after(snapshot(moment));
      timeline.advanceTo(commit.micros());
      apply(commit);
      observers.tell(whole);
      return whole;
    });
  }

  /** Returns the time of the latest commit. */
  public long lastCommit() {
    commits.lock();
    try {
      return lastCommit;
    } finally {
      commits.unlock();
    }
  }

  /** Takes back a document of which nothing but its present is known. */
  public void load(Document document) {
    commits.lock();
    try {
      writer.load(DocumentName.parse(document.getName()).path(), document);
    } finally {
      commits.unlock();
    }
  }

  /** Makes the past before this time unreadable, because nobody knows it any more. */
  public void startHistoryAt(long micros) {
    commits.lock();
    try {
      timeline.advanceTo(micros);
      lastCommit = Math.max(lastCommit, micros);
      history.startAt(micros);
      publish();
    } finally {
      commits.unlock();
    }
  }

  /** Lets the observer be told of commits, by the committing thread, which must not wait. */
  public Observation observe(Consumer<Commit> observer) {
    return add(observer, true);
  }

  /** Does the same for somebody who only looks on: that does not keep an empty database from being closed. */
  public Observation watch(Consumer<Commit> observer) {
    return add(observer, false);
  }

  private Observation add(Consumer<Commit> observer, boolean user) {
    commits.lock();
    try {
      requireOpen();
      return observers.add(observer, user);
    } finally {
      commits.unlock();
    }
  }

  /** Does something between two commits, and returns the database as it is at that moment, which must be closed. */
  public Snapshot freeze(Runnable between) {
    commits.lock();
    try {
      requireOpen();
      between.run();
      return snapshot(timeline.present());
    } finally {
      commits.unlock();
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
    } catch (Throwable e) { // half of it is in the key space; the journal may have all of it
      closed =
          "The database could not apply a commit; make room on the disk if it is full, and start"
              + " the server again.";
      throw new FirestoreServerException(
          Code.UNAVAILABLE, closed + " That commit may be there then.", e);
    }
    observers.tell(commit);
  }

  private void apply(Commit commit) {
    writer.write(commit);
    lastCommit = commit.micros();
    history.expire(timeline.now());
    publish();
  }

  private void publish() {
    timeline.publish(new Published(keys.root(), lastCommit, history.horizon(), lastReceipt));
  }

  /** Throws if the database was closed. */
  public void requireOpen() {
    String reason = closed;
    if (reason != null) {
      throw new FirestoreServerException(Code.UNAVAILABLE, reason);
    }
  }
}
