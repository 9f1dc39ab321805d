package dev.syncguard.lock.springboot;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lease that the {@link Locked} method holds in which the current thread is; the innermost one, if there are several.
 *
 * <p>It follows the work to other threads wherever Micrometer's context propagation does, for example through Spring's
 * {@code ContextPropagatingTaskDecorator}, and is in the Reactor context under {@link #CONTEXT_KEY}. It is a lease like any
 * other: check {@link Lease#ensureHeld} before a step that must not come too late. Thread-safe.
 */
public final class CurrentLease {

  /** The key under which Reactor's context and context snapshots have the {@link Lease}. */
  public static final String CONTEXT_KEY = "dev.syncguard.lease";

  // What runs below a method cannot be handed anything else; the method's own scope always takes it
  // back.
  private static final ThreadLocal<Lease> CURRENT = new ThreadLocal<>();

  private CurrentLease() {}

  /** Returns the current lease, if there is one. */
  public static Optional<Lease> get() {
    return Optional.ofNullable(CURRENT.get());
  }

  /** Returns the current lease, or throws {@link IllegalStateException}. */
  public static Lease require() {
    return get()
        .orElseThrow(() -> new IllegalStateException(
            "No @Locked method is running here. Was it called from within its own object, or on a"
                + " thread to which the context does not propagate?"));
  }

  /** Returns the fence of the current lease, or throws {@link IllegalStateException}. */
  public static Fence fence() {
    return require().fence();
  }

  /** Makes a lease the current one until the scope is closed, by the same thread. */
  static Scope enter(Lease lease) {
    Lease before = CURRENT.get();
    CURRENT.set(lease);
    return () -> restore(before);
  }

  static void restore(@Nullable Lease lease) {
    if (lease == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(lease);
    }
  }

  /** The time in which a lease is the current one. */
  interface Scope extends AutoCloseable {
    @Override
    void close();
  }
}
