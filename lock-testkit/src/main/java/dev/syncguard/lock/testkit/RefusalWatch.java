package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A backend that tells when somebody was refused for the first time: from then on somebody waits. */
final class RefusalWatch extends ForwardingBackend {

  private final CountDownLatch refused = new CountDownLatch(1);

  RefusalWatch(LockBackend target) {
    super(target);
  }

  void awaitRefusal() throws InterruptedException {
    assertThat(refused.await(2, TimeUnit.MINUTES)).as("somebody waits").isTrue();
  }

  private AcquireResult noting(AcquireResult result) {
    if (result instanceof AcquireResult.Contended) {
      refused.countDown();
    }
    return result;
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    return noting(super.acquire(key, id, ttl, cancellation));
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return super.waitingLine()
        .map(line -> (key, id, wakeUp) -> new WatchedPlace(line.join(key, id, wakeUp)));
  }

  private final class WatchedPlace implements WaitingLine.Place {
    private final WaitingLine.Place place;

    WatchedPlace(WaitingLine.Place place) {
      this.place = place;
    }

    @Override
    public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
      return noting(place.attempt(ttl, cancellation));
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl) {
      return place.takeOver(from, ttl);
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl, Cancellation cancellation) {
      return place.takeOver(from, ttl, cancellation);
    }

    @Override
    public boolean mayTakeOver() {
      return place.mayTakeOver();
    }

    @Override
    public Duration patience() {
      return place.patience();
    }

    @Override
    public void close() {
      place.close();
    }

    @Override
    public void leave(Cancellation cancellation) {
      place.leave(cancellation);
    }
  }
}
