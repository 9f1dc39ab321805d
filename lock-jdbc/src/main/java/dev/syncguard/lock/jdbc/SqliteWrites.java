package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.jdbc.SqliteSession.Durability;
import dev.syncguard.lock.jdbc.SqliteWrite.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The changes that the threads of one backend want made, in the order in which they came.
 *
 * <p>Most of what a durable change costs is the flush to the disk, and one flush does for many changes. So whoever finds nobody
 * writing makes its change at once, alone, as a statement that commits by itself. Those who come meanwhile wait; when it is done
 * it wakes the first of them, and that one makes all changes that wait by then in one transaction, each with its own answer.
 * Until that transaction has begun everybody may still give up. Thread-safe.
 */
final class SqliteWrites {

  /** Other processes wait for as long as this many take. */
  private static final int MOST_AT_ONCE = 64;

  private final SqliteSession session;
  private final ReentrantLock guard = new ReentrantLock();
  private final ArrayDeque<SqliteWrite<?>> waiting = new ArrayDeque<>();
  private boolean busy;

  SqliteWrites(SqliteSession session) {
    this.session = session;
  }

  /** Makes one change, together with those of others if that is how it comes. */
  <T> List<T> make(SqliteWrite<T> write, Waiting patience) {
    try {
      if (!begins(write)) {
        awaitTurn(write, patience);
      }
      if (write.state() != State.DONE) {
        lead(write, patience);
      }
      return write.result();
    } finally {
      patience.finish();
    }
  }

  private boolean begins(SqliteWrite<?> write) {
    guard.lock();
    try {
      if (busy) {
        waiting.add(write);
        return false;
      }
      busy = true;
      return true;
    } finally {
      guard.unlock();
    }
  }

  private void awaitTurn(SqliteWrite<?> write, Waiting patience) {
    while (write.state() == State.WAITING) {
      if (!patience.await() && leaves(write)) {
        throw patience.givenUp();
      }
    }
    while (write.state() == State.CARRIED) {
      patience.awaitUninterruptibly();
    }
  }

  /** Takes a change back, and returns whether that was still possible. */
  private boolean leaves(SqliteWrite<?> write) {
    guard.lock();
    try {
      return write.state() == State.WAITING && waiting.remove(write);
    } finally {
      guard.unlock();
    }
  }

  private void lead(SqliteWrite<?> own, Waiting patience) {
    try {
      if (isAlone(own)) {
        session.write(patience, own);
      } else {
        session.writeTogether(patience, mostDurable(own), this::takeAlong, own);
      }
    } finally {
      passOn();
    }
  }

  private boolean isAlone(SqliteWrite<?> own) {
    guard.lock();
    try {
      waiting.remove(own);
      return waiting.isEmpty();
    } finally {
      guard.unlock();
    }
  }

  private Durability mostDurable(SqliteWrite<?> own) {
    guard.lock();
    try {
      return own.durability() == Durability.FULL
              || waiting.stream().anyMatch(write -> write.durability() == Durability.FULL)
          ? Durability.FULL
          : Durability.NORMAL;
    } finally {
      guard.unlock();
    }
  }

  /** Takes those along who wait by now, up to the first who needs more than the transaction promises. */
  private List<SqliteWrite<?>> takeAlong(Durability promised) {
    guard.lock();
    try {
      List<SqliteWrite<?>> taken = new ArrayList<>();
      while (!waiting.isEmpty()
          && taken.size() < MOST_AT_ONCE
          && (promised == Durability.FULL || waiting.element().durability() == Durability.NORMAL)) {
        waiting.element().moveOn(State.CARRIED);
        taken.add(waiting.remove());
      }
      return taken;
    } finally {
      guard.unlock();
    }
  }

  private void passOn() {
    guard.lock();
    try {
      busy = !waiting.isEmpty();
      if (busy) {
        waiting.element().moveOn(State.LEADING);
      }
    } finally {
      guard.unlock();
    }
  }
}
