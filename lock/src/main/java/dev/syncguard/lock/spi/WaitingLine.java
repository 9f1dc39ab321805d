package dev.syncguard.lock.spi;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import java.time.Duration;

/**
 * A store's way to let waiters take turns and to tell the next one when its turn has come.
 *
 * <p>The library lets one waiter per key and process stand here; the others queue behind it in the process. Wake-ups
 * are only hints: they may be lost or come for nothing, because the waiter tries again after {@link Place#patience()}
 * anyway.
 */
public interface WaitingLine {

  /**
   * Returns a place for a waiter that will take the key under this id. Sends nothing yet.
   *
   * @param wakeUp called from any thread whenever another attempt is worth while; returns quickly
   */
  Place join(LockKey key, LockId id, Runnable wakeUp);

  /**
   * As {@link #join(LockKey, LockId, Runnable)}, for a waiter whose lease is to have this note. A backend that keeps no
   * notes leaves it out.
   */
  default Place join(LockKey key, LockId id, LockNote note, Runnable wakeUp) {
    return join(key, id, wakeUp);
  }

  /** A waiter's place in line, from its first attempt until it is closed. Not thread-safe. */
  interface Place extends AutoCloseable {

    /** Tries to take the key as {@link LockBackend#acquire} does; when refused, stays in line for it. */
    AcquireResult attempt(Ttl ttl, Cancellation cancellation);

    /**
     * Ends the lease {@code from} and gives its key to this place, in one atomic step and one round trip.
     *
     * <p>{@code Contended} means that {@code from} was no longer live, so that there was nothing to take over. As
     * with an attempt, asking again with the same ids finds a grant whose reply was lost.
     */
    AcquireResult takeOver(LockId from, Ttl ttl);

    /** As {@link #takeOver(LockId, Ttl)}, but gives up when cancelled. A backend whose stores never fall silent leaves it out. */
    default AcquireResult takeOver(LockId from, Ttl ttl, Cancellation cancellation) {
      return takeOver(from, ttl);
    }

    /**
     * Returns whether a lease may be handed over to this place now; if not, it is released, and the waiter has to try for
     * itself. Asks nobody.
     */
    default boolean mayTakeOver() {
      return true;
    }

    /** Returns how long to wait for a wake-up before trying all the same. */
    Duration patience();

    /** Leaves the line without having been granted the key, or tidies up after a grant. Never throws. */
    @Override
    void close();

    /** As {@link #close()}, but gives up when cancelled: a place whose waiter does not come lapses by itself. */
    default void leave(Cancellation cancellation) {
      close();
    }
  }
}
