package dev.syncguard.lock.testkit.faults;

import dev.syncguard.lock.LockException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Says which call fails, and how: the n-th one, counted from zero, and perhaps a few more. Thread-safe.
 *
 * <p>Run a scenario with the fault at call 0, then at call 1, and so on until the fault {@link #fired()} no more: then
 * each of its calls has failed once.
 */
public final class PlannedFault {

  private final CallFault fault;
  private final int at;
  private final int times;
  private final Runnable delay;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicBoolean fired = new AtomicBoolean();

  private PlannedFault(CallFault fault, int at, int times, Runnable delay) {
    this.fault = fault;
    this.at = at;
    this.times = times;
    this.delay = delay;
  }

  /**
   * Returns the fault of one call.
   *
   * @param delay how a delay passes, for the faults that have one
   */
  public static PlannedFault at(int call, CallFault fault, Runnable delay) {
    return new PlannedFault(fault, call, 1, delay);
  }

  /** Returns the fault of so many calls in a row. */
  public PlannedFault times(int calls) {
    return new PlannedFault(fault, at, calls, delay);
  }

  /** Returns whether there was such a call. */
  public boolean fired() {
    return fired.get();
  }

  <T> T through(Supplier<T> call) {
    int number = calls.getAndIncrement();
    if (number < at || number >= at + times) {
      return call.get();
    }
    fired.set(true);
    return switch (fault) {
      case FAIL_BEFORE -> throw lost();
      case FAIL_AFTER -> {
        T unused = call.get();
        throw lost();
      }
      case DELAY_BEFORE -> {
        delay.run();
        yield call.get();
      }
      case DELAY_AFTER -> {
        T answer = call.get();
        delay.run();
        yield answer;
      }
      case DUPLICATE -> {
        T unused = call.get();
        yield call.get();
      }
    };
  }

  private static LockException lost() {
    return new LockException(
        LockException.Code.NETWORK_TIMEOUT, "The store did not answer (a planned fault)");
  }

  @Override
  public String toString() {
    return fault + " at call " + at;
  }
}
