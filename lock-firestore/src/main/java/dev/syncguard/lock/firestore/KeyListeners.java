package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.ListenerRegistration;
import dev.syncguard.lock.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hears when a lock that somebody of this process waits for is gone: one listener per key, however many wait for it.
 *
 * <p>A listener stays for a while after its last waiter, because where one waited the next is near. Firestore's client
 * sees to it that a listener outlives its connection; one that it gives up is replaced at the next attempt. Thread-safe;
 * everything is guarded by one lock, and not by a monitor, because Firestore's client may take its time.
 *
 * <p>Each listener keeps a stream of the client's connection, and of these there are a hundred. When all are taken, every
 * other request waits for one, renewals included. So there are only so many listeners; whoever finds no room asks now and
 * then.
 */
final class KeyListeners implements AutoCloseable {

  private static final Duration LINGER = Duration.ofSeconds(5);
  private static final System.Logger log = System.getLogger(KeyListeners.class.getName());

  static final Duration PATIENCE_OF_LISTENERS = Duration.ofSeconds(5);
  private static final Duration PATIENCE_WITHOUT_ROOM = Duration.ofSeconds(1);
  private static final Duration PATIENCE_WHEN_BROKEN = Duration.ofMillis(250);

  private final Time time;
  private final int most;
  private final ReentrantLock guard = new ReentrantLock();
  private final Map<DocumentReference, KeyListener> listeners = new HashMap<>();
  private boolean closed;

  KeyListeners(Time time, int most) {
    this.time = time;
    this.most = most;
  }

  /** Somebody who wants to hear about one key until it is closed. */
  interface Subscription extends AutoCloseable {
    /** Returns whether the listener still works, as far as anybody knows. */
    boolean isNotified();

    /** Returns after which time to look at the key, even if nothing was heard. */
    Duration patience();

    @Override
    void close();
  }

  private <T> T guarded(Supplier<T> work) {
    guard.lock();
    try {
      return work.get();
    } finally {
      guard.unlock();
    }
  }

  private void guarded(Runnable work) {
    guard.lock();
    try {
      work.run();
    } finally {
      guard.unlock();
    }
  }

  /** Returns whether somebody listens for this key already, so that one more costs nothing. */
  boolean isOpen(DocumentReference lock) {
    return guarded(() -> listeners.containsKey(lock));
  }

  /** Calls the waiter whenever the lock is free, soon also if it is free already. */
  Subscription listen(DocumentReference lock, Runnable waiter) {
    return guarded(() -> {
      if (closed) {
        return new UnnotifiedSubscription(PATIENCE_WHEN_BROKEN);
      }
      KeyListener listener = listeners.get(lock);
      if (listener == null && !hasRoom()) {
        return new UnnotifiedSubscription(PATIENCE_WITHOUT_ROOM);
      }
      if (listener == null) {
        listener = new KeyListener(lock);
        try {
          listener.open();
        } catch (RuntimeException e) {
          // A client that was closed, say. The next attempt will tell; until then the waiter polls.
          return new UnnotifiedSubscription(PATIENCE_WHEN_BROKEN);
        }
        listeners.put(lock, listener);
      }
      listener.waiters.add(waiter);
      return new OpenSubscription(listener, waiter);
    });
  }

  /** Returns whether one more may listen; for that, one that nobody needs just now has to go. */
  private boolean hasRoom() {
    if (listeners.size() < most) {
      return true;
    }
    return listeners.values().stream()
        .filter(listener -> listener.waiters.isEmpty())
        .findFirst()
        .map(idle -> {
          listeners.remove(idle.lock);
          idle.end();
          return true;
        })
        .orElse(false);
  }

  /** Ends the listener for this key, if there is one, so that the next attempt opens another. */
  void end(DocumentReference lock) {
    guarded(() -> {
      KeyListener listener = listeners.remove(lock);
      if (listener != null) {
        listener.end();
      }
    });
  }

  /** Lets everybody look for themselves, because nobody may hear anything for a while. */
  void wakeAll() {
    guarded(this::allWaiters).forEach(KeyListeners::wake);
  }

  private List<Runnable> allWaiters() {
    return listeners.values().stream().flatMap(one -> one.waiters.stream()).toList();
  }

  /** Ends all listeners, and lets those who wait open others: the connection of these may hear nothing any more. */
  void replaceAll() {
    List<Runnable> waiters = guarded(() -> {
      List<Runnable> all = allWaiters();
      listeners.values().forEach(KeyListener::end);
      listeners.clear();
      return all;
    });
    waiters.forEach(KeyListeners::wake);
  }

  int count() {
    return guarded(listeners::size);
  }

  @Override
  public void close() {
    guarded(() -> {
      closed = true;
      listeners.values().forEach(KeyListener::end);
      listeners.clear();
    });
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
          waiters().forEach(KeyListeners::wake);
        }
      });
    }

    private boolean isFree(DocumentSnapshot snapshot) {
      try {
        long now = time.now().toEpochMilli();
        return LockRecord.of(snapshot).filter(record -> record.isLive(now)).isEmpty();
      } catch (RuntimeException e) {
        // The waiter finds out by itself what is wrong with the document.
        return true;
      }
    }

    /** Notes that the client has ended the listener, and lets everybody look for themselves. */
    private void giveUp() {
      List<Runnable> unheard = guarded(() -> {
        ended = true;
        listeners.remove(lock, this);
        return List.copyOf(waiters);
      });
      unheard.forEach(KeyListeners::wake);
    }

    private List<Runnable> waiters() {
      return guarded(() -> List.copyOf(waiters));
    }

    void forget(Runnable waiter) {
      if (waiters.remove(waiter) && waiters.isEmpty() && !ended) {
        CompletableFuture.delayedExecutor(LINGER.toMillis(), TimeUnit.MILLISECONDS)
            .execute(this::endIfIdle);
      }
    }

    private void endIfIdle() {
      guarded(() -> {
        if (waiters.isEmpty() && listeners.remove(lock, this)) {
          end();
        }
      });
    }

    void end() {
      ended = true;
      if (registration != null) {
        registration.remove();
      }
    }
  }

  /** Wakes one waiter. Whatever goes wrong, the others want to hear, and the client's thread must go on. */
  private static void wake(Runnable waiter) {
    try {
      waiter.run();
    } catch (RuntimeException | Error e) {
      log.log(Level.WARNING, () -> "A waiter could not be woken; it will look by itself", e);
    }
  }

  private final class OpenSubscription implements Subscription {
    private final KeyListener listener;
    private final Runnable waiter;

    OpenSubscription(KeyListener listener, Runnable waiter) {
      this.listener = listener;
      this.waiter = waiter;
    }

    @Override
    public boolean isNotified() {
      return guarded(() -> !listener.ended);
    }

    @Override
    public Duration patience() {
      return isNotified() ? PATIENCE_OF_LISTENERS : PATIENCE_WHEN_BROKEN;
    }

    @Override
    public void close() {
      guarded(() -> listener.forget(waiter));
    }
  }

  /** For those whom nobody tells anything. */
  private record UnnotifiedSubscription(Duration patience) implements Subscription {
    @Override
    public boolean isNotified() {
      return false;
    }

    @Override
    public void close() {}
  }
}
