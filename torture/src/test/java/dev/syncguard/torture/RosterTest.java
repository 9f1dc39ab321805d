package dev.syncguard.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RosterTest {

  private final List<String> deeds = new CopyOnWriteArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final CountDownLatch successorAwaited = new CountDownLatch(1);
  private final CountDownLatch paused = new CountDownLatch(1);
  /** The only worker that is not still starting. */
  private int atWork = -1;

  private Duration untilTheFirstAnswer = Duration.ZERO;
  private final Roster roster = new Roster(
      Settings.of(Duration.ofMinutes(1), 1, "roster:"), new Recorders(), new Ledger(), nanos::get);

  private void killTheFirstTwice() {
    roster.start();
    Fault kill = new Fault(Duration.ZERO, FaultKind.KILL, 0, Duration.ZERO);
    roster.hurt(kill);
    roster.hurt(kill);
  }

  private List<String> ofTheFirst() throws InterruptedException {
    // What was not begun by its end is left out.
    successorAwaited.await();
    roster.end();
    return deeds.stream().filter(deed -> deed.startsWith("0.")).toList();
  }

  @Test
  void aWorkerIsHurtOnceItIsAtWork() throws Exception {
    killTheFirstTwice();
    assertThat(ofTheFirst().subList(0, 3))
        .containsExactly("0.0 awaited", "0.0 killed", "0.1 awaited");
  }

  @Test
  void whoeverIsAtWorkIsHurtInsteadOfOneThatIsNot() throws Exception {
    atWork = 2;
    roster.start();
    roster.hurt(new Fault(Duration.ZERO, FaultKind.PAUSE, 0, Duration.ZERO));
    paused.await();
    roster.end();
    assertThat(deeds).contains("2.0 pause").doesNotContain("0.0 pause");
  }

  @Test
  void whatWouldComeTooLateIsLeftOut() throws Exception {
    untilTheFirstAnswer = Duration.ofSeconds(10);
    killTheFirstTwice();
    assertThat(ofTheFirst())
        .containsExactly("0.0 awaited", "0.0 killed", "0.1 awaited", "0.1 ended");
    assertThat(roster.done()).containsExactly(Map.entry(FaultKind.KILL, 1));
  }

  private final class Recorders implements Crew {
    @Override
    public Set<FaultKind> supported() {
      return EnumSet.of(FaultKind.KILL);
    }

    @Override
    public Map<FaultKind, String> notTried() {
      return Map.of();
    }

    @Override
    public Member start(Task task, Duration clockOffset, Ledger ledger) {
      String name = task.worker() + "." + task.incarnation() + " ";
      return new Member() {
        @Override
        public boolean isAtWork() {
          return task.worker() == atWork;
        }

        @Override
        public void awaitAnswer() {
          if (task.incarnation() > 0) {
            nanos.addAndGet(untilTheFirstAnswer.toNanos());
          }
          deeds.add(name + "awaited");
          if (name.equals("0.1 ")) {
            successorAwaited.countDown();
          }
        }

        @Override
        public void inflict(Fault fault) {
          deeds.add(name + fault.kind().word());
          paused.countDown();
        }

        @Override
        public void kill() {
          deeds.add(name + "killed");
        }

        @Override
        public void end() {
          deeds.add(name + "ended");
        }

        @Override
        public boolean isAlive() {
          return true;
        }
      };
    }

    @Override
    public void close() {}
  }
}
