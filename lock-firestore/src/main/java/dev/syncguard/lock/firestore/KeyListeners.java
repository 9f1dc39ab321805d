package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.ListenerRegistration;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Hears when a lock that somebody of this process waits for is gone: one listener per key, however many wait for it.
 *
 * <p>A listener stays for a while after its last waiter, because where one waited the next is near. Firestore's client
 * sees to it that a listener outlives its connection; one that it gives up is replaced at the next attempt. Threads may
 * share it; everything is guarded by its monitor.
 */
final class KeyListeners implements AutoCloseable {

  private static final Duration LINGER = Duration.ofSeconds(5);

  private final Time time;
  private final Map<DocumentReference, KeyListener> listeners = new HashMap<>();
  private boolean closed;

  KeyListeners(Time time) {
    this.time = time;
  }

  /** Somebody who wants to hear about one key until it is closed. */
  interface Ear extends AutoCloseable {
    /** Returns whether the listener still works, as far as anybody knows. */
    boolean hears();

    @Override
    void close();
  }

  /** Returns whether somebody listens for this key already, so that one more costs nothing. */
  synchronized boolean isOpen(DocumentReference lock) {
    return listeners.containsKey(lock);
  }

  /** Calls the waiter whenever the lock is free, soon also if it is free already. */
  synchronized Ear listen(DocumentReference lock, Runnable waiter) {
    if (closed) {
      return new DeafEar();
    }
    KeyListener listener = listeners.get(lock);
    if (listener == null) {
      listener = new KeyListener(lock);
      listeners.put(lock, listener);
      listener.open();
    }
    listener.waiters.add(waiter);
    return new OpenEar(listener, waiter);
  }

  synchronized int count() {
    return listeners.size();
  }

  @Override
  public synchronized void close() {
    closed = true;
    listeners.values().forEach(KeyListener::end);
    listeners.clear();
  }

  private final class KeyListener {
    private final DocumentReference lock;
    private final Set<Runnable> waiters = new HashSet<>();
    private @Nullable ListenerRegistration registration;
    private boolean ended;

    KeyListener(DocumentReference lock) {
      this.lock = lock;
    }

    void open() {
      registration = lock.addSnapshotListener((snapshot, error) -> {
        if (error != null || snapshot == null) {
          giveUp();
        } else if (isFree(snapshot)) {
          waiters().forEach(Runnable::run);
        }
      });
    }

    private boolean isFree(DocumentSnapshot snapshot) {
      try {
        long now = time.now().toEpochMilli();
        return LockRecord.of(snapshot).filter(record -> record.isLive(now)).isEmpty();
      } catch (LockException e) {
        // The waiter finds out by itself what is wrong with the document.
        return true;
      }
    }

    /** Ends a listener that the client has ended, so that the next attempt opens another. */
    private void giveUp() {
      List<Runnable> deaf;
      synchronized (KeyListeners.this) {
        ended = true;
        listeners.remove(lock, this);
        deaf = List.copyOf(waiters);
      }
      deaf.forEach(Runnable::run);
    }

    private List<Runnable> waiters() {
      synchronized (KeyListeners.this) {
        return List.copyOf(waiters);
      }
    }

    void forget(Runnable waiter) {
      if (waiters.remove(waiter) && waiters.isEmpty() && !ended) {
        CompletableFuture.delayedExecutor(LINGER.toMillis(), TimeUnit.MILLISECONDS)
            .execute(this::endIfIdle);
      }
    }

    private void endIfIdle() {
      synchronized (KeyListeners.this) {
        if (waiters.isEmpty() && listeners.remove(lock, this)) {
          end();
        }
      }
    }

    void end() {
      ended = true;
      if (registration != null) {
        registration.remove();
      }
    }
  }

  private final class OpenEar implements Ear {
    private final KeyListener listener;
    private final Runnable waiter;

    OpenEar(KeyListener listener, Runnable waiter) {
      this.listener = listener;
      this.waiter = waiter;
    }

    @Override
    public boolean hears() {
      synchronized (KeyListeners.this) {
        return !listener.ended;
      }
    }

    @Override
    public void close() {
      synchronized (KeyListeners.this) {
        listener.forget(waiter);
      }
    }
  }

  /** For those who still wait while the backend is being closed. */
  private static final class DeafEar implements Ear {
    @Override
    public boolean hears() {
      return false;
    }

    @Override
    public void close() {}
  }
}
