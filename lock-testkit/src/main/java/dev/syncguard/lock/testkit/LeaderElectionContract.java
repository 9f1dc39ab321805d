package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Candidate;
import dev.syncguard.lock.ElectionTiming;
import dev.syncguard.lock.LeaderElection;
import dev.syncguard.lock.Leadership;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One leader at a time, and always another one in the end: over every backend. */
public abstract class LeaderElectionContract extends Contract {

  /** So long that nobody loses its term because the machine is busy. */
  private static final ElectionTiming UNHURRIED =
      new ElectionTiming(Duration.ofMinutes(10), Duration.ofMinutes(1));

  private static final ElectionTiming BRIEF =
      new ElectionTiming(Duration.ofSeconds(2), Duration.ofMillis(700));

  private final List<Locks> opened = new ArrayList<>();
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

  @AfterEach
  final void closeLocks() {
    opened.forEach(Locks::close);
  }

  private Locks over(LockBackend target) {
    Locks made = Locks.builder(target).onReleaseError((error, failure) -> {}).build();
    opened.add(made);
    return made;
  }

  /** A candidate that says what it is told, with the term. */
  private static class Diary implements Candidate {
    private final String name;
    private final BlockingQueue<String> told;

    Diary(String name, BlockingQueue<String> told) {
      this.name = name;
      this.told = told;
    }

    @Override
    public void elected(Leadership leadership) {
      told.add(name + " leads term " + leadership.term().value());
    }

    @Override
    public void revoked(Leadership leadership) {
      told.add(name + " has stopped");
    }
  }

  private LeaderElection stand(String name, Locks locks) {
    return stand(name, locks, UNHURRIED);
  }

  private LeaderElection stand(String name, Locks locks, ElectionTiming timing) {
    return locks.elect("leader", new Diary(name, told), timing);
  }

  /** Returns what a candidate was told next, however slow the machine is. */
  private String next() throws InterruptedException {
    String line = told.poll(2, TimeUnit.MINUTES);
    assertThat(line).as("what is told next").isNotNull();
    return line;
  }

  @Test
  void theNextOneLeadsWhenTheLeaderStepsDown() throws Exception {
    RefusalWatch watched = new RefusalWatch(open());
    LeaderElection first = stand("first", over(backend));
    assertThat(next()).isEqualTo("first leads term 1");
    LeaderElection second = stand("second", over(watched));
    watched.awaitRefusal();
    assertThat(first.isLeader()).isTrue();
    assertThat(second.isLeader()).isFalse();
    first.stepDown();
    assertThat(next()).isEqualTo("first has stopped");
    assertThat(next()).isEqualTo("second leads term 2");
    assertThat(first.isLeader()).isFalse();
    assertThat(second.leadership().orElseThrow().term().value()).isEqualTo(2);
  }

  @Test
  void theNextOneLeadsWhenTheLocksOfTheLeaderAreClosed() throws Exception {
    RefusalWatch watched = new RefusalWatch(open());
    Locks closing = over(backend);
    stand("first", closing);
    assertThat(next()).isEqualTo("first leads term 1");
    LeaderElection second = stand("second", over(watched));
    watched.awaitRefusal();
    closing.close();
    assertThat(next()).isEqualTo("first has stopped");
    assertThat(next()).isEqualTo("second leads term 2");
    second.close();
    assertThat(next()).isEqualTo("second has stopped");
    assertFree("leader");
  }

  @Test
  void aLeaderThatClosesItsLocksKeepsTheKeyUntilItHasStopped() throws Exception {
    Locks closing = over(backend);
    CountDownLatch hasClosed = new CountDownLatch(1);
    CountDownLatch stop = new CountDownLatch(1);
    closing.elect(
        "leader",
        new Diary("first", told) {
          @Override
          public void elected(Leadership leadership) {
            super.elected(leadership);
            closing.close();
            hasClosed.countDown();
            try {
              stop.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        },
        UNHURRIED);
    assertThat(next()).isEqualTo("first leads term 1");
    hasClosed.await();
    assertThat(backend.isLocked(LockKey.of("leader"), Cancellation.none())).isTrue();
    RefusalWatch watched = new RefusalWatch(open());
    stand("second", over(watched));
    watched.awaitRefusal();
    stop.countDown();
    assertThat(next()).isEqualTo("first has stopped");
    assertThat(next()).isEqualTo("second leads term 2");
  }

  @Test
  void aLeaderThatDiedIsReplaced() throws Exception {
    take("leader", SHORT);
    stand("heir", over(open()));
    passBeyond(SHORT);
    assertThat(next()).isEqualTo("heir leads term 2");
  }

  @Test
  void aLeaderThatAnOperatorDeposedStops() throws Exception {
    Locks locks = over(backend);
    LeaderElection election = stand("first", locks);
    assertThat(next()).isEqualTo("first leads term 1");
    assertThat(locks.forceRelease("leader")).isPresent();
    assertThat(election.isLeader()).isFalse();
    assertThat(next()).isEqualTo("first has stopped");
    assertThat(next()).isEqualTo("first leads term 2");
  }

  @Test
  void aLeaderThatIsCutOffHasStoppedBeforeItIsReplaced() throws Exception {
    CutOff cutOff = new CutOff(open());
    stand("first", over(cutOff), BRIEF);
    assertThat(next()).isEqualTo("first leads term 1");
    cutOff.cut = true;
    stand("second", over(open()));
    assertThat(next()).isEqualTo("first has stopped");
    passBeyond(Ttl.of(BRIEF.ttl()));
    assertThat(next()).isEqualTo("second leads term 2");
  }

  @Test
  void anErrorOfTheDriverDoesNotEndTheElection() throws Exception {
    AtomicBoolean failed = new AtomicBoolean();
    LockBackend odd = new ForwardingBackend(open()) {
      @Override
      public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
        if (failed.compareAndSet(false, true)) {
          throw new LinkageError("a class is missing for once");
        }
        return super.acquire(key, id, ttl, cancellation);
      }

      @Override
      public Optional<WaitingLine> waitingLine() {
        return Optional.empty();
      }
    };
    stand("first", over(odd));
    assertThat(next()).isEqualTo("first leads term 1");
    assertThat(failed).isTrue();
  }

  /** A backend that loses its store. */
  private static final class CutOff extends ForwardingBackend {
    private volatile boolean cut;

    CutOff(LockBackend target) {
      super(target);
    }

    private void reach() {
      if (cut) {
        throw new LockException(LockException.Code.SERVICE_UNAVAILABLE, "The cable was cut");
      }
    }

    @Override
    public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
      reach();
      return super.acquire(key, id, ttl, cancellation);
    }

    @Override
    public ReleaseResult release(LockId id, Cancellation cancellation) {
      reach();
      return super.release(id, cancellation);
    }

    @Override
    public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
      reach();
      return super.extend(id, ttl, cancellation);
    }

    @Override
    public Optional<WaitingLine> waitingLine() {
      return Optional.empty();
    }
  }
}
