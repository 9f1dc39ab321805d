package dev.syncguard.cli;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.spi.LockBackend;
import java.util.List;

/**
 * The live locks at one moment.
 *
 * @param locks soonest to expire first
 * @param complete whether these are all
 */
record LiveLocks(List<LockInfo> locks, boolean complete) {

  static LiveLocks read(LockBackend backend, int limit) {
    List<LockInfo> locks = backend
        .listing()
        .orElseThrow(() -> LockException.invalidArgument("This store cannot list its locks"))
        .live(limit + 1, Cancellation.none());
    boolean complete = locks.size() <= limit;
    return new LiveLocks(complete ? locks : locks.subList(0, limit), complete);
  }

  JsonLine json() {
    return new JsonLine()
        .add("ok", true)
        .add(
            "locks",
            locks.stream().map(lock -> LockTable.describe(new JsonLine(), lock)).toList())
        .add("complete", complete);
  }

  /** Returns how many there are, in words. */
  String count() {
    return (complete ? "" : "more than ")
        + locks.size()
        + (locks.size() == 1 ? " live lock" : " live locks");
  }
}
