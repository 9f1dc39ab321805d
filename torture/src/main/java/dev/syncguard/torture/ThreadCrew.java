package dev.syncguard.torture;

import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Workers that are threads of this process, each with a backend of its own; for a store that only this process can open. */
public final class ThreadCrew implements Crew {

  private static final Set<FaultKind> BEARS = Set.copyOf(EnumSet.of(
      FaultKind.KILL,
      FaultKind.PAUSE,
      FaultKind.RESTART,
      FaultKind.LOST_REPLIES,
      FaultKind.LOST_REQUESTS,
      FaultKind.SILENCE));

  private final Supplier<LockBackend> store;

  /** The supplier is asked once for each worker; what it returns is closed when that worker ends in peace. */
  public ThreadCrew(Supplier<LockBackend> store) {
    this.store = store;
  }

  @Override
  public Set<FaultKind> supported() {
    return BEARS;
  }

  @Override
  public Map<FaultKind, String> notTried() {
    Map<FaultKind, String> notTried = new EnumMap<>(FaultKind.class);
    EnumSet.complementOf(EnumSet.copyOf(BEARS))
        .forEach(kind -> notTried.put(kind, "the workers are threads of one process"));
    return notTried;
  }

  @Override
  public Member start(Task task, Duration clockOffset, Ledger ledger) {
    LockBackend opened = store.get();
    HurtBackend hurt = new HurtBackend(opened);
    Gate gate = new Gate(ledger);
    WorkGroup group = WorkGroup.start(task, hurt, gate, gate);
    return new ThreadMember(hurt, gate, group);
  }

  @Override
  public void close() {}

  /** What a dead worker says is not heard any more. */
  private static final class Gate implements Journal, Resource {
    private final Ledger ledger;
    private boolean closed;

    Gate(Ledger ledger) {
      this.ledger = ledger;
    }

    synchronized void close() {
      closed = true;
    }

    @Override
    public synchronized void note(dev.syncguard.torture.history.Event event) {
      if (!closed) {
        ledger.note(event);
      }
    }

    @Override
    public synchronized boolean write(int worker, String key, long attempt, long fence) {
      return !closed && ledger.write(worker, key, attempt, fence);
    }
  }

  private record ThreadMember(HurtBackend backend, Gate gate, WorkGroup group) implements Member {

    @Override
    public void inflict(Fault fault) {
      switch (fault.kind()) {
        case PAUSE, SILENCE -> backend.pause(fault.length());
        case LOST_REPLIES -> backend.loseReplies(fault.length());
        case LOST_REQUESTS -> backend.loseRequests(fault.length());
        default -> throw new IllegalArgumentException("A thread cannot be hurt by " + fault.kind());
      }
    }

    @Override
    public void kill() {
      // In this order: a release that reaches the store must have been told.
      backend.die();
      gate.close();
      group.abandon();
    }

    @Override
    public void end() {
      if (!group.end()) {
        backend.die();
      }
      gate.close();
      backend.close();
    }

    @Override
    public boolean isAlive() {
      return true;
    }
  }
}
