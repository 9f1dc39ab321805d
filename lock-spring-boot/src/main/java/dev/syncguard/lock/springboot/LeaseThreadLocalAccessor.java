package dev.syncguard.lock.springboot;

import dev.syncguard.lock.Lease;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/** Lets the {@link CurrentLease} follow the work to other threads. Found by Micrometer's context propagation. Thread-safe. */
public final class LeaseThreadLocalAccessor implements ThreadLocalAccessor<Lease> {

  @Override
  public Object key() {
    return CurrentLease.CONTEXT_KEY;
  }

  @Override
  public @Nullable Lease getValue() {
    return CurrentLease.get().orElse(null);
  }

  @Override
  public void setValue(Lease lease) {
    CurrentLease.restore(lease);
  }

  @Override
  public void setValue() {
    CurrentLease.restore(null);
  }
}
