package dev.syncguard.lock.springboot;

import dev.syncguard.lock.spi.LockBackend;

/** A bean that puts something around the backend before the locks are made, such as telemetry. Called once, at start. */
@FunctionalInterface
public interface LockBackendCustomizer {

  /** Returns the backend to use instead. */
  LockBackend customize(LockBackend backend);
}
