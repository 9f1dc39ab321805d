package dev.syncguard.lock.springboot.autoconfigure;

import dev.syncguard.lock.Locks;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Gives all leases back when the application ends: after everything that may still need them has stopped, such as web
 * requests, schedulers and message listeners, and before connection pools close. Thread-safe.
 */
final class LocksLifecycle implements SmartLifecycle {

  /** Lower phases stop later, and every phase stops before the first bean is destroyed. */
  static final int PHASE = Integer.MIN_VALUE + 1000;

  private final Locks locks;
  private final ConfigurableApplicationContext application;
  private volatile boolean running;

  LocksLifecycle(Locks locks, ConfigurableApplicationContext application) {
    this.locks = locks;
    this.application = application;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    // An application that is only paused goes on with its locks.
    if (application.isClosed()) {
      locks.close();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
