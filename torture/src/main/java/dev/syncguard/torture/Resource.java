package dev.syncguard.torture;

/** What the locks protect: it remembers the highest fence of each key, and refuses a lower one. Thread-safe. */
@FunctionalInterface
public interface Resource {

  /** Writes on behalf of a lease, and returns whether that was accepted. */
  boolean write(int worker, String key, long attempt, long fence);
}
