package dev.syncguard.lock.waiting;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The place of a waiter that nobody wakes: it asks again after growing pauses. */
public final class PollingPlace implements WaitingLine.Place {

  private final LockBackend backend;
  private final LockKey key;
  private final LockId id;
  private final RequestOptions options;
  private final RandomGenerator random;
  private int answers;

  public PollingPlace(
      LockBackend backend, LockKey key, LockId id, RequestOptions options, RandomGenerator random) {
    this.backend = backend;
    this.key = key;
    this.id = id;
    this.options = options;
    this.random = random;
  }

  @Override
  public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
    // A failure is no answer, and does not use up a retry.
    AcquireResult result = options.attempt(backend, key, id, cancellation);
    answers++;
    return result;
  }

  public boolean isOutOfRetries() {
    return answers > options.polling().maxRetries();
  }

  @Override
  public AcquireResult takeOver(LockId from, Ttl ttl) {
    throw new IllegalStateException("A backend without a waiting line cannot hand a lock over");
  }

  @Override
  public Duration patience() {
    return options.polling().pauseAfter(Math.max(answers, 1), random);
  }

  @Override
  public void close() {}
}
