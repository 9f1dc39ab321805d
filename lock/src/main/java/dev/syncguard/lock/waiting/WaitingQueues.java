package dev.syncguard.lock.waiting;

import dev.syncguard.lock.LockHash;
import dev.syncguard.lock.LockKey;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The queues of a waiting room, one per key, each of which exists only while somebody waits in it. Guarded by the room. */
final class WaitingQueues {

  private final Map<LockKey, WaitingQueue> byKey = new HashMap<>();

  @Nullable
  WaitingQueue find(LockKey key) {
    return byKey.get(key);
  }

  boolean isEmpty() {
    return byKey.isEmpty();
  }

  Stream<Waiter> waiters() {
    return byKey.values().stream().flatMap(queue -> queue.waiters.stream());
  }

  /** Returns the first waiter of each key for which the store failed when it was last asked. */
  Stream<Waiter> firstOfTroubled() {
    return byKey.values().stream()
        .filter(queue -> queue.lastFailure != null)
        .map(queue -> queue.waiters.getFirst());
  }

  /** Returns how many wait for which key. */
  Map<LockHash, Integer> sizes() {
    Map<LockHash, Integer> sizes = new HashMap<>();
    byKey.forEach((key, queue) -> sizes.merge(key.hash(), queue.waiters.size(), Integer::sum));
    return Map.copyOf(sizes);
  }

  void addLast(Waiter waiter) {
    byKey.computeIfAbsent(waiter.key, key -> new WaitingQueue()).waiters.addLast(waiter);
  }

  void addFirst(Waiter waiter) {
    byKey.computeIfAbsent(waiter.key, key -> new WaitingQueue()).waiters.addFirst(waiter);
  }

  boolean isFirst(Waiter waiter) {
    WaitingQueue queue = byKey.get(waiter.key);
    return queue != null && queue.waiters.peekFirst() == waiter;
  }

  /** Returns whether the store failed when it was last asked for the waiter's key. */
  boolean isTroubled(Waiter waiter) {
    WaitingQueue queue = byKey.get(waiter.key);
    return queue != null && queue.lastFailure != null;
  }

  /** Removes a waiter, and returns who is first then. */
  @Nullable
  Waiter removeAndGetFirst(Waiter waiter) {
    WaitingQueue queue = byKey.get(waiter.key);
    if (queue == null) {
      return null;
    }
    queue.waiters.remove(waiter);
    if (queue.waiters.isEmpty()) {
      byKey.remove(waiter.key);
      return null;
    }
    return queue.waiters.getFirst();
  }
}
