package dev.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.lease.LeaseWindow;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The window is compared with a store of one line: the extension that it applied last counts. */
class LeaseWindowTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private record Step(long at, Runnable work) {}

  private final LeaseWindow window = new LeaseWindow();

  @Test
  void anAnswerCountsFromBeforeItsRequest() {
    window.open(100, Duration.ofSeconds(10));
    assertThat(window.endNanos()).isEqualTo(100 + 10 * SECOND);
    LeaseWindow.Extension extension = window.extending(Ttl.ofMillis(20_000), 5 * SECOND);
    assertThat(window.endNanos()).as("not promised yet").isEqualTo(100 + 10 * SECOND);
    window.confirmed(extension);
    assertThat(window.endNanos()).isEqualTo(25 * SECOND);
  }

  @Test
  void anExtensionThatMayHaveShortenedTheLeaseDoesSoUntilItIsRefused() {
    window.open(0, Duration.ofSeconds(60));
    LeaseWindow.Extension shorter = window.extending(Ttl.ofMillis(2_000), SECOND);
    assertThat(window.endNanos()).isEqualTo(3 * SECOND);
    window.refused(shorter);
    assertThat(window.endNanos()).isEqualTo(60 * SECOND);
  }

  @Test
  void aBlipDoesNotShortenLaterRenewals() {
    window.open(0, Duration.ofSeconds(30));
    window.extending(Ttl.ofMillis(30_000), 10 * SECOND);
    window.confirmed(window.extending(Ttl.ofMillis(30_000), 11 * SECOND));
    assertThat(window.endNanos()).isEqualTo(41 * SECOND);
  }

  @Test
  void whateverTheNetworkDoesItNeverPromisesMoreThanTheStoreKeeps() {
    for (long seed = 1; seed <= 5_000; seed++) {
      assertThat(playedSafely(seed)).as("steps of seed " + seed).isPositive();
    }
  }

  /** Sends extensions that overlap, arrive late or get lost, and compares after every step. */
  private static int playedSafely(long seed) {
    Random random = new Random(seed);
    LeaseWindow window = new LeaseWindow();
    long[] stored = {20 * SECOND};
    window.open(0, Duration.ofSeconds(20));
    PriorityQueue<Step> steps = new PriorityQueue<>(Comparator.comparingLong(Step::at));
    for (int i = 0; i < 6; i++) {
      long sent = random.nextLong(15 * SECOND);
      Ttl ttl = Ttl.ofMillis(1 + random.nextInt(20_000));
      boolean arrives = random.nextInt(5) != 0;
      long applied = sent + random.nextLong(random.nextInt(3) == 0 ? 9 * SECOND : SECOND / 10);
      boolean answered = arrives && random.nextInt(4) != 0;
      long answeredAt = applied + random.nextLong(SECOND / 10);
      LeaseWindow.Extension[] extension = new LeaseWindow.Extension[1];
      steps.add(new Step(sent, () -> extension[0] = window.extending(ttl, sent)));
      if (arrives) {
        steps.add(new Step(applied, () -> stored[0] = applied + ttl.duration().toNanos()));
      }
      if (answered) {
        steps.add(new Step(answeredAt, () -> window.confirmed(extension[0])));
      }
    }
    int played = 0;
    while (!steps.isEmpty()) {
      Step next = steps.remove();
      if (next.at >= window.endNanos()) {
        // From here on the lease is lost, and nobody asks the window any more.
        break;
      }
      next.work.run();
      played++;
      assertThat(window.endNanos()).as("seed " + seed).isLessThanOrEqualTo(stored[0]);
    }
    return played + 1;
  }
}
