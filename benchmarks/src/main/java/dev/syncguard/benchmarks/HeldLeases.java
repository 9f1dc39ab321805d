package dev.syncguard.benchmarks;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a lease weighs while it is held: its objects, its key and its id, on any backend. */
public final class HeldLeases {

  private static final Duration LONG = Duration.ofHours(1);

  private static final int FIRST = 1000;

  // Collectors may leave some garbage where it lies, but not each time: HotSpot moves everything at
  // every fourth.
  private static final int COLLECTIONS = 8;

  private HeldLeases() {}

  /** Holds so many leases at once, and returns how many bytes of heap each of them took. */
  public static double heapBytesEach(LockBackend backend, int count) throws InterruptedException {
    // Nobody has the patience to see all of them released: the store is thrown away.
    try (Locks locks = Locks.builder(backend)
        .onReleaseError((error, unreleased) -> {})
        .disposeTimeout(Duration.ofMillis(1))
        .build()) {
      // What the first leases bring along is there only once.
      for (int i = 0; i < FIRST; i++) {
        locks.lock("first-" + i).ttl(LONG).acquire();
      }
      List<Lease> held = new ArrayList<>(count);
      try {
        long before = usedHeap();
        for (int i = 0; i < count; i++) {
          held.add(locks.lock("held-" + i).ttl(LONG).acquire());
        }
        return (double) (usedHeap() - before) / count;
      } finally {
        Reference.reachabilityFence(held);
      }
    }
  }

  /** Returns the heap that is in use when all garbage is gone. */
  static long usedHeap() throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Thread.sleep(20);
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
