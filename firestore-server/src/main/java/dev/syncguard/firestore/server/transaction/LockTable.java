package dev.syncguard.firestore.server.transaction;

import dev.syncguard.firestore.server.FirestoreServerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Who holds which locks, and who waits. Thread-safe.
 *
 * <p>A request gets all its locks at once or waits. It waits for holders whose locks conflict, and, if its owner holds
 * nothing yet, also behind older requests that conflict, so that a stream of readers cannot starve a writer. An owner that
 * holds something never queues behind mere requests: since nobody waits for an owner with empty hands, every deadlock is
 * a cycle of holders. Such a cycle is looked for whenever somebody starts to wait, and its youngest member is refused at
 * once. The timeout is only for holders that do nothing at all.
 */
final class LockTable {
  private enum State {
    WAITING,
    GRANTED,
    REFUSED
  }

  private static final class Request {
    final LockOwner owner;
    final Map<String, Set<Lock.Mode>> wanted = new HashMap<>();
    final Condition changed;
    State state = State.WAITING;

    Request(LockOwner owner, List<Lock> locks, Condition changed) {
      this.owner = owner;
      this.changed = changed;
      locks.forEach(lock -> wanted
          .computeIfAbsent(lock.resource(), resource -> EnumSet.noneOf(Lock.Mode.class))
          .add(lock.mode()));
    }

    // A commit may have a hundred thousand locks: whoever has fewer looks them up among the others.
    boolean conflictsWith(Request other) {
      Request small = wanted.size() <= other.wanted.size() ? this : other;
      Request large = small == this ? other : this;
      for (Map.Entry<String, Set<Lock.Mode>> lock : small.wanted.entrySet()) {
        if (!agree(lock.getValue(), large.wanted.getOrDefault(lock.getKey(), Set.of()))) {
          return true;
        }
      }
      return false;
    }
  }

  /** What an owner holds, by resource, and whether it waits for more. */
  record Claims(List<String> held, boolean waiting) {
    static final Claims NONE = new Claims(List.of(), false);
  }

  /** How many may wait at once: each of them keeps a thread, and those who hold locks need some to go on. */
  static final int MAX_WAITING = 768;

  private static final int MOST_CLAIMS = 50;

  private final Duration timeout;
  private final ReentrantLock monitor = new ReentrantLock();
  private final Map<String, Map<LockOwner, Set<Lock.Mode>>> holders = new HashMap<>();
  private final Map<LockOwner, Set<String>> held = new HashMap<>();
  /** Oldest owner first, then in the order of arrival. */
  private final List<Request> waiting = new ArrayList<>();

  LockTable(Duration timeout) {
    this.timeout = timeout;
  }

  /** Gives the owner all the locks, waiting for them if need be. */
  void acquire(LockOwner owner, List<Lock> locks) {
    monitor.lock();
    try {
      Request request = new Request(owner, locks, monitor.newCondition());
      if (isFree(request, waiting)) {
        grant(request);
      } else {
        enqueue(request);
        breakCycles(request);
        await(request);
      }
    } finally {
      monitor.unlock();
    }
  }

  /** Gives the owner all the locks, or none if it would have to wait. */
  boolean tryAcquire(LockOwner owner, List<Lock> locks) {
    monitor.lock();
    try {
      Request request = new Request(owner, locks, monitor.newCondition());
      if (!isFree(request, waiting)) {
        return false;
      }
      grant(request);
      return true;
    } finally {
      monitor.unlock();
    }
  }

  /** Takes all locks from the owner and refuses what it waits for. */
  void release(LockOwner owner) {
    monitor.lock();
    try {
      drop(owner);
      grantWaiting();
    } finally {
      monitor.unlock();
    }
  }

  /** Returns what an owner holds now, for people who debug; of very much, some. */
  Claims claims(LockOwner owner) {
    monitor.lock();
    try {
      List<String> resources = held.getOrDefault(owner, Set.of()).stream()
          .limit(MOST_CLAIMS)
          .sorted()
          .toList();
      return new Claims(resources, waiting.stream().anyMatch(request -> request.owner == owner));
    } finally {
      monitor.unlock();
    }
  }

  private void await(Request request) {
    long nanos = timeout.toNanos();
    try {
      while (request.state == State.WAITING && nanos > 0) {
        nanos = request.changed.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (request.state == State.WAITING) {
      drop(request.owner);
      grantWaiting();
      throw FirestoreServerException.aborted("Transaction lock timeout.");
    }
    if (request.state == State.REFUSED) {
      throw contention();
    }
  }

  private static FirestoreServerException contention() {
    return FirestoreServerException.aborted(
        "Too much contention on these documents. Please try again.");
  }

  private void enqueue(Request request) {
    if (waiting.size() >= MAX_WAITING) {
      drop(request.owner);
      grantWaiting();
      throw contention();
    }
    int position = waiting.size();
    while (position > 0 && waiting.get(position - 1).owner.priority > request.owner.priority) {
      position--;
    }
    waiting.add(position, request);
  }

  private boolean isFree(Request request, List<Request> ahead) {
    if (!blockers(request).isEmpty()) {
      return false;
    }
    return held.containsKey(request.owner) || ahead.stream().noneMatch(request::conflictsWith);
  }

  private static boolean agree(Set<Lock.Mode> mine, Set<Lock.Mode> theirs) {
    for (Lock.Mode mode : mine) {
      for (Lock.Mode other : theirs) {
        if (!mode.allows(other)) {
          return false;
        }
      }
    }
    return true;
  }

  private Set<LockOwner> blockers(Request request) {
    Set<LockOwner> blockers = new HashSet<>();
    request.wanted.forEach((resource, modes) -> holders
        .getOrDefault(resource, Map.of())
        .forEach((owner, held) -> {
          if (owner != request.owner && !agree(modes, held)) {
            blockers.add(owner);
          }
        }));
    return blockers;
  }

  private void grant(Request request) {
    request.wanted.forEach((resource, modes) -> holders
        .computeIfAbsent(resource, key -> new HashMap<>())
        .computeIfAbsent(request.owner, owner -> EnumSet.noneOf(Lock.Mode.class))
        .addAll(modes));
    if (!request.wanted.isEmpty()) {
      held.computeIfAbsent(request.owner, owner -> new HashSet<>()).addAll(request.wanted.keySet());
    }
    request.state = State.GRANTED;
    request.changed.signal();
  }

  private void grantWaiting() {
    List<Request> ahead = new ArrayList<>();
    for (Request request : List.copyOf(waiting)) {
      if (isFree(request, ahead)) {
        waiting.remove(request);
        grant(request);
      } else {
        ahead.add(request);
      }
    }
  }

  private void breakCycles(Request request) {
    while (request.state == State.WAITING) {
      List<LockOwner> cycle = new ArrayList<>();
      if (!findCycle(request.owner, request.owner, new HashSet<>(), cycle)) {
        return;
      }
      LockOwner victim = request.owner;
      for (LockOwner member : cycle) {
        victim = member.priority > victim.priority ? member : victim;
      }
      drop(victim);
      grantWaiting();
    }
  }

  /** Looks for a way from one owner back to the start along who waits for whom, and collects it. */
  private boolean findCycle(
      LockOwner start, LockOwner from, Set<LockOwner> seen, Collection<LockOwner> cycle) {
    for (Request request : waiting) {
      if (request.owner == from) {
        for (LockOwner blocker : blockers(request)) {
          if (blocker == start || (seen.add(blocker) && findCycle(start, blocker, seen, cycle))) {
            cycle.add(from);
            return true;
          }
        }
      }
    }
    return false;
  }

  private void drop(LockOwner owner) {
    waiting.removeIf(request -> {
      if (request.owner == owner) {
        request.state = request.state == State.WAITING ? State.REFUSED : request.state;
        request.changed.signal();
      }
      return request.owner == owner;
    });
    Set<String> resources = held.remove(owner);
    if (resources != null) {
      for (String resource : resources) {
        holders.computeIfPresent(resource, (key, owners) -> {
          owners.remove(owner);
          return owners.isEmpty() ? null : owners;
        });
      }
    }
  }
}
