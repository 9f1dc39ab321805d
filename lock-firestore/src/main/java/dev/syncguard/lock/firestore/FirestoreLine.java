package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.DocumentReference;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lets waiters listen for the end of a lock. Whoever is quickest then gets it; there is no order among processes. */
final class FirestoreLine implements WaitingLine, AutoCloseable {

  private final Grants grants;
  private final LockDocuments documents;
  private final KeyListeners listeners;

  FirestoreLine(Grants grants, LockDocuments documents, KeyListeners listeners) {
    this.grants = grants;
    this.documents = documents;
    this.listeners = listeners;
  }

  @Override
  public Place join(LockKey key, LockId id, Runnable wakeUp) {
    return new FirestorePlace(key, id, Optional.empty(), wakeUp);
  }

  @Override
  public Place join(LockKey key, LockId id, LockNote note, Runnable wakeUp) {
    return new FirestorePlace(key, id, Optional.of(note), wakeUp);
  }

  @Override
  public void close() {
    listeners.close();
  }

  private final class FirestorePlace implements Place {
    private final LockKey key;
    private final LockId id;
    private final Optional<LockNote> note;
    private final Runnable wakeUp;
    private final DocumentReference lock;
    private KeyListeners.@Nullable Subscription subscription;
    private Duration patience = KeyListeners.PATIENCE_OF_LISTENERS;

    FirestorePlace(LockKey key, LockId id, Optional<LockNote> note, Runnable wakeUp) {
      this.key = key;
      this.id = id;
      this.note = note;
      // A copy, because one and the same object may come with several places.
      this.wakeUp = () -> wakeUp.run();
      this.lock = documents.lock(key);
    }

    @Override
    public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
      if (subscription != null && !subscription.isNotified()) {
        stopListening();
      }
      // Most locks are free, and then nobody needs to listen. But if somebody listens anyway, we do
      // so before we ask: then nothing can happen in between.
      if (subscription == null && listeners.isOpen(lock)) {
        subscription = listeners.listen(lock, wakeUp);
      }
      Grants.Attempted attempted;
      try {
        attempted = grants.attempt(key, id, ttl, note, cancellation);
      } catch (LockException e) {
        // Whatever kept us from asking may keep the listener from hearing, and its client takes its
        // time before it tries again. The next attempt starts another.
        if (e.isRetryable()) {
          listeners.end(lock);
        }
        throw e;
      }
      if (attempted.result() instanceof AcquireResult.Acquired) {
        stopListening();
        return attempted.result();
      }
      if (subscription == null) {
        subscription = listeners.listen(lock, wakeUp);
      }
      patience = Duration.ofMillis(
          Math.max(1, Math.min(subscription.patience().toMillis(), attempted.freeInMillis())));
      return attempted.result();
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl) {
      return takeOver(from, ttl, Cancellation.none());
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl, Cancellation cancellation) {
      return grants.takeOver(key, from, id, ttl, note, cancellation);
    }

    @Override
    public boolean mayTakeOver() {
      return grants.mayGrant();
    }

    @Override
    public Duration patience() {
      return patience;
    }

    private void stopListening() {
      if (subscription != null) {
        subscription.close();
        subscription = null;
      }
    }

    @Override
    public void close() {
      stopListening();
    }
  }
}
