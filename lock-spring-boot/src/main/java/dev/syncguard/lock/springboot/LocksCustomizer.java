package dev.syncguard.lock.springboot;

import dev.syncguard.lock.Locks;

/** A bean that changes the settings of the {@link Locks} before they are made. Called once, at start. */
@FunctionalInterface
public interface LocksCustomizer {

  /** Changes the builder from which the application's locks are made. */
  void customize(Locks.Builder locks);
}
