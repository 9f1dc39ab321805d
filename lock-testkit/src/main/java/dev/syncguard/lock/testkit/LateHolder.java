package dev.syncguard.lock.testkit;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A holder that is stopped for longer than its ttl and then goes on writing, as if nothing had happened.
 *
 * <p>It is a process of its own, stopped by the operating system: neither its timers nor the renewal of its lease run.
 */
public final class LateHolder {

  private LateHolder() {}

  /** A resource as the holder writes it: once it asks its lease, and once it only has its fence. */
  public interface Resource {
    /** Writes under a lease, which a guard may refuse before it asks the resource. */
    void write(Lease lease, String text) throws Exception;

    /** Writes under a fence that is all that is known of the lease. */
    void write(Fence fence, String text) throws Exception;
  }

  /** What the next holder does while the first one is stopped. */
  @FunctionalInterface
  public interface Next {
    /** Runs while the first holder is stopped. */
    void run(Lease lease) throws Exception;
  }

  /** The life of the holder, to be called by the main class of a process: writes, waits until it is told, writes again. */
  public static void live(LockBackend backend, String key, Resource resource) throws IOException {
    try (Locks locks = Locks.over(backend)) {
      Lease lease = locks.lock(key).ttl(Duration.ofMillis(1500)).acquire();
      System.out.println("first " + outcome(() -> resource.write(lease.fence(), "first")));
      int told = System.in.read();
      System.out.println("lease " + outcome(() -> resource.write(lease, "late by its lease")));
      System.out.println("fence " + outcome(() -> resource.write(lease.fence(), "late")));
      System.out.println("told " + (told >= 0));
    }
  }

  /**
   * Stops the holder until somebody else could take the lock and has done its work, lets it go on, and returns the names of
   * the errors that its writes with its lease and with its fence ended with.
   */
  public static List<String> stopBeyondItsTtl(
      ChildJvm holder, LockBackend backend, String key, Next next) throws Exception {
    String first = holder.nextLine();
    if (!first.equals("first written")) {
      throw new AssertionError("The holder could not even write when it was on time: " + first);
    }
    holder.signal("STOP");
    try (Locks locks = Locks.over(backend);
        Lease lease = locks.lock(key).waitUpTo(Duration.ofMinutes(1)).acquire()) {
      next.run(lease);
      holder.signal("CONT");
      holder.tell();
      List<String> said = holder.rest();
      if (holder.exitCode() != 0 || said.size() != 3) {
        throw new AssertionError("The holder did not get to its end, but said " + said);
      }
      return List.of(said.get(0).substring(6), said.get(1).substring(6));
    }
  }

  private interface Attempt {
    void run() throws Exception;
  }

  private static String outcome(Attempt attempt) {
    try {
      attempt.run();
      return "written";
    } catch (Exception e) {
      return e.getClass().getSimpleName();
    }
  }
}
