package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.WriteBatch;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.firestore.OptimisticRetry.Settled;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.Cleanup;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockListing;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.StoreCheck;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Instant;
import java.util.Optional;

/**
 * Locks on Firestore, shared with every process that uses SyncGuard on the same database and collections, in whatever
 * language.
 *
 * <p>{@code Locks.over(FirestoreLockBackend.over(firestore))} with a client that you already have, or
 * {@link #connect}. Firestore has no clock that decides, so each client's own does: they exclude one another only while
 * their clocks differ by at most one second. {@link #clockHealth()} tells how this one is doing. Threads may share a
 * backend.
 */
public final class FirestoreLockBackend implements LockBackend {

  private static final Capabilities CAPABILITIES =
      new Capabilities("firestore", true, Capabilities.TimeAuthority.CLIENT);

  private final Firestore firestore;
  private final boolean ownsClient;
  private final Time time;
  private final LockDocuments documents;
  private final ClockSkewMonitor clock;
  private final PauseDetector pauses;
  private final Calls calls;
  private final OptimisticRetry retry;
  private final Optional<Cleanup> cleanup;
  private final Grants grants;
  private final FirestoreLine line;
  private final IndexCheck index;

  FirestoreLockBackend(FirestoreLockBackendBuilder settings, FirestoreClient client) {
    this.firestore = client.firestore();
    this.ownsClient = settings.ownsClient;
    this.time = settings.time;
    this.documents = new LockDocuments(firestore, settings.collection, settings.fenceCollection);
    this.clock = new ClockSkewMonitor(time, settings.refusesUnsafeClock, settings.onClockHealth);
    this.pauses = new PauseDetector(time, settings.onSuspectLease);
    KeyListeners listeners = new KeyListeners(time, settings.maxListeners);
    client.channels().onBreak(listeners::wakeAll);
    Connection connection = new Connection(client.channels(), listeners::replaceAll);
    this.calls = new Calls(firestore, clock, pauses, time, settings.timeout, connection);
    this.retry = new OptimisticRetry(time);
    this.cleanup = Optional.ofNullable(settings.cleanup());
    this.grants = new Grants(
        calls,
        documents,
        retry,
        clock,
        pauses,
        time,
        settings.strictTakeover ? Optional.of(new Sightings(time)) : Optional.empty());
    this.line = new FirestoreLine(grants, documents, listeners);
    this.index = new IndexCheck(calls, documents);
  }

  /** Returns a backend over a client that stays the caller's to close, with every setting at its default. */
  public static FirestoreLockBackend over(Firestore firestore) {
    return builder(firestore).build();
  }

  /** Returns a backend with a client of its own; see {@link #builder(String)}. */
  public static FirestoreLockBackend connect(String url) {
    return builder(url).build();
  }

  /** Returns a builder for a backend over a client that stays the caller's to close. */
  public static FirestoreLockBackendBuilder builder(Firestore firestore) {
    return new FirestoreLockBackendBuilder(() -> FirestoreClient.of(firestore), false);
  }

  /**
   * Returns a builder for a backend with a client of its own, for instance with the {@link Firestore#getOptions() options} of one
   * that is there already. The retries of the client are ours.
   *
   * <p>After an outage it connects again as soon as somebody asks, which a client of somebody else cannot be told to do: that one
   * pauses for seconds, and for up to two minutes after a long outage.
   */
  public static FirestoreLockBackendBuilder builder(FirestoreOptions options) {
    return new FirestoreLockBackendBuilder(
        () -> FirestoreClient.connect(options.toBuilder()), true);
  }

  /**
   * Returns a builder for a backend with a client of its own, as {@link #builder(FirestoreOptions)} does.
   *
   * <p>The URL is {@code firestore://PROJECT} or {@code firestore://PROJECT/DATABASE}, and may end in
   * {@code ?collection=NAME}, {@code &fences=NAME} and {@code &unsafeClock=allow}. Credentials are the application's default ones; if
   * {@code FIRESTORE_EMULATOR_HOST} is set, that server is used instead of Google's.
   */
  public static FirestoreLockBackendBuilder builder(String url) {
    FirestoreAddress address = FirestoreAddress.parse(url);
    return address.configure(new FirestoreLockBackendBuilder(address::connect, true));
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    return grants.attempt(key, id, ttl, Optional.empty(), cancellation).result();
  }

  @Override
  public AcquireResult acquire(
      LockKey key, LockId id, Ttl ttl, LockNote note, Cancellation cancellation) {
    return grants.attempt(key, id, ttl, Optional.of(note), cancellation).result();
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    Operation operation = calls.begin(cancellation);
    ReleaseResult result = retry.run(operation, () -> {
      Ownership owners = owners(id, operation);
      WriteBatch writes = calls.newBatch();
      owners.sweep(writes);
      Optional<DocumentSnapshot> held = owners.holding();
      held.ifPresent(
          lock -> writes.delete(lock.getReference(), Precondition.updatedAt(lock.getUpdateTime())));
      return write(
          writes,
          held.isPresent()
              ? new ReleaseResult.Released()
              : new ReleaseResult.Absent(owners.absence()),
          operation);
    });
    pauses.forget(id);
    return result;
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    PauseDetector.Reading before = pauses.read();
    Operation operation = calls.begin(cancellation);
    ExtendResult result = retry.run(operation, () -> {
      Ownership owners = owners(id, operation);
      WriteBatch writes = calls.newBatch();
      owners.sweep(writes);
      Optional<DocumentSnapshot> held = owners.holding();
      long expiresAtMs = time.now().toEpochMilli() + ttl.millis();
      held.ifPresent(lock -> writes.update(
          lock.getReference(),
          Precondition.updatedAt(lock.getUpdateTime()),
          LockRecord.EXPIRES_AT,
          expiresAtMs));
      return write(
          writes,
          held.isPresent()
              ? new ExtendResult.Extended(Instant.ofEpochMilli(expiresAtMs))
              : new ExtendResult.Absent(owners.absence()),
          operation);
    });
    if (result instanceof ExtendResult.Extended) {
      pauses.extended(id, ttl, before);
    } else {
      pauses.forget(id);
    }
    return result;
  }

  private Ownership owners(LockId id, Operation operation) {
    var found = calls.find(operation, documents.locksWithId(id)).getDocuments();
    return Ownership.of(id, found, time.now().toEpochMilli());
  }

  private <T> Settled<T> write(WriteBatch writes, T answer, Operation operation) {
    if (writes.getMutationsSize() == 0) {
      return Settled.with(answer);
    }
    return new Settled<>(calls.commit(operation, writes), answer);
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    DocumentSnapshot found =
        calls.read(calls.begin(cancellation), documents.lock(key)).get(0);
    long now = time.now().toEpochMilli();
    Optional<LockRecord> record = LockRecord.of(found);
    boolean cleanable =
        record.filter(dead -> Liveness.isCleanable(dead.expiresAtMs(), now)).isPresent();
    if (cleanable) {
      cleanup.ifPresent(cleaner -> cleaner.offer(() -> forget(found)));
    }
    return record.filter(held -> held.isLive(now)).isPresent();
  }

  /** Removes a dead document. If it has changed since we read it, nothing happens. */
  private void forget(DocumentSnapshot dead) {
    WriteBatch writes = calls.newBatch();
    writes.delete(dead.getReference(), Precondition.updatedAt(dead.getUpdateTime()));
    var unused = calls.commit(calls.begin(Cancellation.none()), writes);
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    Optional<LockRecord> held;
    if (query instanceof LockQuery.ById byId) {
      held = owners(byId.id(), calls.begin(cancellation)).held();
    } else {
      LockKey key = ((LockQuery.ByKey) query).key();
      held = LockRecord.of(
          calls.read(calls.begin(cancellation), documents.lock(key)).get(0));
    }
    Instant now = time.now();
    return held.filter(record -> record.isLive(now.toEpochMilli()))
        .map(record -> record.describe(now));
  }

  /** Returns how far this machine's clock is from Firestore's. Asks nobody: every answer of Firestore says it. */
  public ClockHealth clockHealth() {
    pauses.look();
    return clock.health();
  }

  /**
   * Returns whether a lease of this backend should be doubted because the wall clock was set, or the machine slept, since
   * it was granted or extended. Extend such a lease, which asks Firestore and starts anew, or stop.
   *
   * <p>A lease that was found suspect stays so until then, even if the clock is set right again. We look after each answer
   * of Firestore and whenever this or {@link #clockHealth()} is called; whoever does not want to ask is told through
   * {@link FirestoreLockBackendBuilder#onSuspectLease} and a line in the log.
   */
  public boolean isSuspect(Lease lease) {
    return !lease.isHeld() || pauses.isSuspect(lease.id());
  }

  /** Throws {@code InvalidArgument}, with the command that helps, if Firestore cannot find locks by their id. */
  public void verifyIndex() {
    index.verify(Cancellation.none());
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return Optional.of(line);
  }

  @Override
  public Optional<LockListing> listing() {
    return Optional.of(new FirestoreListing(calls, documents, time));
  }

  @Override
  public Optional<StoreCheck> storeCheck() {
    return Optional.of(new FirestoreCheck(calls, documents, index, clock));
  }

  @Override
  public void close() {
    cleanup.ifPresent(Cleanup::close);
    calls.close();
    line.close();
    if (ownsClient) {
      firestore.shutdownNow();
    }
  }
}
