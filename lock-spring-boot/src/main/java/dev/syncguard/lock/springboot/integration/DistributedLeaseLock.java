package dev.syncguard.lock.springboot.integration;

import dev.syncguard.lock.springboot.LeaseLock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.springframework.integration.support.locks.DistributedLock;

/** A {@link LeaseLock} as Spring Integration 7 calls it. Loaded only there. Thread-safe. */
record DistributedLeaseLock(LeaseLock lease) implements DistributedLock {

  @Override
  public void lock() {
    lease.lock();
  }

  @Override
  public void lock(Duration ttl) {
    lease.lock(ttl);
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    lease.lockInterruptibly();
  }

  @Override
  public boolean tryLock() {
    return lease.tryLock();
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return lease.tryLock(time, unit);
  }

  @Override
  public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
    return lease.tryLock(waitTime, ttl);
  }

  @Override
  public void unlock() {
    lease.unlock();
  }

  @Override
  public Condition newCondition() {
    return lease.newCondition();
  }
}
