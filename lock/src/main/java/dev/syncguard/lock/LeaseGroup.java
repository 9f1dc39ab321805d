package dev.syncguard.lock;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Several leases that are held together. Thread-safe. */
public final class LeaseGroup implements AutoCloseable {

  private final List<Lease> leases;

  LeaseGroup(List<Lease> leases) {
    this.leases = List.copyOf(leases);
  }

  /** Returns the leases in the order in which they were taken. */
  public List<Lease> leases() {
    return leases;
  }

  /** Returns the lease of one of the keys. */
  public Lease lease(String key) {
    LockKey wanted = LockKey.of(key);
    return leases.stream()
        .filter(lease -> lease.key().equals(wanted))
        .findFirst()
        .orElseThrow(() -> LockException.invalidArgument("This key is not one of the group"));
  }

  /** Returns how much longer all of them can be relied upon. */
  public Duration remaining() {
    return leases.stream()
        .map(Lease::remaining)
        .min(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /** Throws {@link LeaseLostException} unless all of them last at least this much longer. */
  public void ensureHeld(Duration margin) {
    leases.forEach(lease -> lease.ensureHeld(margin));
  }

  /** Returns a stage that completes as soon as the first of them can no longer be relied upon. */
  public CompletionStage<Loss> whenLost() {
    CompletableFuture<Loss> first = new CompletableFuture<>();
    leases.forEach(lease -> lease.whenLost().thenAccept(first::complete));
    return first.minimalCompletionStage();
  }

  /**
   * Ends all leases, the last one taken first. Never throws; errors go to the handler for release errors. A dispose timeout
   * bounds all of them together.
   */
  @Override
  public void close() {
    Lease.closeAll(leases);
  }
}
