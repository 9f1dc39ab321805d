package dev.syncguard.lock.redis;

import dev.syncguard.lock.LockException;
import java.time.Duration;

/**
 * How many replicas must have a grant or an extension before the caller is told of it.
 *
 * @param replicas their number, at least 1
 * @param within how long they may take
 */
record ReplicaAcks(int replicas, Duration within) {

  ReplicaAcks {
    if (replicas < 1) {
      throw LockException.invalidArgument(
          "The number of replicas must be at least 1; leave it out to wait for none");
    }
    if (within.compareTo(Duration.ofMillis(1)) < 0 || within.compareTo(Duration.ofMinutes(1)) > 0) {
      throw LockException.invalidArgument("Replicas may take 1 ms to 1 minute to confirm a grant");
    }
  }
}
