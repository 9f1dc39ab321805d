package com.example.leader;

import static java.time.Duration.ofSeconds;

import dev.syncguard.lock.Candidate;
import dev.syncguard.lock.ElectionTiming;
import dev.syncguard.lock.Leadership;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import java.nio.file.Path;

/** One node of a service, in a process of its own: works while it is leader. */
public final class Node implements Candidate {

  /** A leader that died is replaced after about three seconds; one that must stop has a second for it. */
  private static final ElectionTiming TIMING = new ElectionTiming(ofSeconds(3), ofSeconds(1));

  public static void main(String[] arguments) throws InterruptedException {
    LockBackend backend = SqliteLockBackend.open(Path.of(arguments[0]));
    // So that TERM tells the leader to stop, and gives its key to the next one as soon as it has.
    Locks locks = Locks.builder(backend).releaseOnShutdown().build();
    locks.elect("scheduler", new Node(), TIMING);
    System.out.println("stands");
    Thread.currentThread().join();
  }

  @Override
  public void elected(Leadership leadership) {
    // Begin the leader's work here, and let everything that it writes to check the term.
    System.out.println("leads, term " + leadership.term().value());
  }

  @Override
  public void revoked(Leadership leadership) {
    // Return when the work has stopped: only then may somebody else begin.
    System.out.println("has stopped");
  }
}
