package dev.syncguard.lock.testkit;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.torture.proxy.Network;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * One store for one test, empty at first. A backend implements this once for all contracts.
 *
 * <p>Stores that can do more say so by implementing one of the nested interfaces as well; each is the ground of a
 * contract of its own. Threads may share a fixture once it is open.
 */
public interface LockFixture extends AutoCloseable {

  /** Returns a new backend over this store, as another process would open it. The contract closes it. */
  LockBackend open();

  /** Lets at least this much time go by: moves a fake clock, or really waits where the server owns the clock. */
  void pass(Duration time);

  /** Returns the clock of the clients, which {@link #pass} moves along with the store's where that one is not real. */
  default Time time() {
    return Time.system();
  }

  /**
   * Makes the store believe that so many fences of a key were already handed out.
   *
   * <p>Every backend must refuse to go beyond the last fence, and nobody has the time to get there honestly.
   */
  void presetFence(LockKey key, long handedOut);

  /** Returns whether the store keeps the notes of holders. */
  default boolean keepsNotes() {
    return true;
  }

  /** Returns whether the store knows how many stand in line for a key. */
  default boolean countsWaiters() {
    return true;
  }

  /** Returns passwords and the like that the backends of this fixture were opened with, and that must not show up. */
  default Set<String> secrets() {
    return Set.of();
  }

  /** Removes all that the test stored. All backends have been closed before. */
  @Override
  void close();

  /** A store whose clock stands still unless {@link #pass} moves it, by exactly that much. */
  interface SettableClock extends LockFixture {}

  /** A store whose backend can be told to clean expired locks away in {@code isLocked}. */
  interface Cleaning extends LockFixture {

    /** Returns a backend that cleans, at most once in the interval. */
    LockBackend openCleaning(Duration interval);

    /** Returns a backend that leaves its cleaning to an executor. */
    LockBackend openCleaning(Duration interval, Executor executor);

    /** Returns whether the store still keeps the record of a lock, dead or alive. */
    boolean isStored(LockKey key);
  }

  /** A store whose content a test can read. */
  interface Inspectable extends LockFixture {

    /** Returns all that the store keeps, so that equal texts mean equal stores. What it forgets by itself may be missing. */
    String content();
  }

  /** A store that survives a crash. */
  interface Restartable extends LockFixture {

    /** Ends the store as a crash would and starts it again; backends from before may be unusable. */
    void restart();
  }

  /** A store that can also be reached over a network which a test disturbs. */
  interface Networked extends LockFixture {

    /**
     * Returns a new backend on the other side of the network. The contract closes it. Its driver waits for an answer for
     * {@link NetworkContract#DRIVER_PATIENCE}.
     */
    LockBackend openThroughNetwork();

    /** Returns the network between the backends and the store. */
    Network network();
  }

  /** A store that can be made unreachable. */
  interface Breakable extends LockFixture {

    /** Makes the store unreachable for the backends that are open and for those that will be. */
    void breakDown();

    /** Makes the store reachable again. */
    void repair();
  }
}
