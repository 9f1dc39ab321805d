package dev.syncguard.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Event.Wrote;
import dev.syncguard.torture.history.Violation;
import dev.syncguard.torture.questions.Answer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class CampaignTest {

  private static final Cancellation NEVER = Cancellation.none();

  private static Settings settings(Duration length, long seed) {
    return new Settings(
        length,
        4,
        2,
        2,
        Duration.ofMillis(500),
        Duration.ofSeconds(20),
        seed,
        "torture:",
        EnumSet.noneOf(FaultKind.class));
  }

  @Test
  void aSoundStoreIsAccusedOfNothingAndNothingStaysLocked() {
    MemoryLockBackend store = new MemoryLockBackend(Time.system());
    Settings settings = settings(Duration.ofSeconds(6), 4);
    Outcome outcome = new Campaign(settings, new ThreadCrew(() -> store), store)
        .run(Campaign.Progress.unseen(), NEVER);
    assertThat(outcome.violations()).isEmpty();
    assertThat(outcome.history()).hasAtLeastOneElementOfType(Granted.class);
    assertThat(outcome.history()).hasAtLeastOneElementOfType(Wrote.class);
    assertThat(outcome.faults()).isNotEmpty();
    assertThat(settings.keyNames())
        .allSatisfy(key -> assertThat(store.isLocked(LockKey.of(key), NEVER)).isFalse());
  }

  @Test
  void aQuestionThatWasAnsweredWronglyIsAViolation() {
    MemoryLockBackend store = new MemoryLockBackend(Time.system());
    Cancellation atOnce = Cancellation.create();
    Outcome outcome = new Campaign(
            settings(Duration.ofMinutes(10), 1), new ThreadCrew(() -> store), store)
        .withQuestions(() -> {
          atOnce.cancel();
          return List.of(
              new Answer("Fences rise", Answer.Verdict.KEPT, "", ""),
              new Answer("Leases end", Answer.Verdict.BROKEN, "a key", "It went on"),
              new Answer("Notes stay", Answer.Verdict.OPEN, "", "there are none"));
        })
        .run(Campaign.Progress.unseen(), atOnce);
    assertThat(outcome.answers()).hasSize(3);
    assertThat(outcome.violations()).singleElement().satisfies(violation -> {
      assertThat(violation.kind()).isEqualTo(Violation.Kind.BROKEN_CONTRACT);
      assertThat(violation.text()).isEqualTo("Leases end. But: It went on");
    });
  }

  @Test
  void whoeverGivesUpGetsTheHistorySoFar() {
    MemoryLockBackend store = new MemoryLockBackend(Time.system());
    Cancellation cancellation = Cancellation.create();
    Outcome outcome = new Campaign(
            settings(Duration.ofMinutes(10), 1), new ThreadCrew(() -> store), store)
        .run(
            (elapsed, grants, faults) -> {
              if (grants > 20) {
                cancellation.cancel();
              }
            },
            cancellation);
    assertThat(outcome.violations()).isEmpty();
    assertThat(outcome.history()).filteredOn(Granted.class::isInstance).hasSizeGreaterThan(20);
  }

  @Test
  void aStoreThatIsAwayInTheEndIsNotAccusedOfKeepingItsKeys() {
    MemoryLockBackend store = new MemoryLockBackend(Time.system());
    Cancellation cancellation = Cancellation.create();
    HurtBackend observer = new HurtBackend(store);
    Settings patient = settings(Duration.ofMinutes(10), 1);
    Settings settings = new Settings(
        patient.length(),
        2,
        1,
        1,
        Duration.ofMillis(500),
        Duration.ofMillis(200),
        1,
        patient.prefix(),
        EnumSet.allOf(FaultKind.class));
    Campaign campaign = new Campaign(settings, new ThreadCrew(() -> store), observer);
    assertThatThrownBy(() -> campaign.run(
            (elapsed, grants, faults) -> {
              observer.die();
              cancellation.cancel();
            },
            cancellation))
        .isInstanceOf(LockException.class)
        .hasMessageContaining("connection was cut");
  }

  @Test
  void aPlanIsDecidedByItsSeed() {
    EnumSet<FaultKind> all = EnumSet.allOf(FaultKind.class);
    Duration minutes = Duration.ofMinutes(3);
    Duration second = Duration.ofSeconds(1);
    FaultPlan plan = FaultPlan.of(7, minutes, 4, second, second, all);
    assertThat(plan).isEqualTo(FaultPlan.of(7, minutes, 4, second, second, all));
    assertThat(plan).isNotEqualTo(FaultPlan.of(8, minutes, 4, second, second, all));
    assertThat(plan.faults()).extracting(Fault::kind).containsAll(all);
    assertThat(plan.faults()).isSortedAccordingTo((a, b) -> a.after().compareTo(b.after()));
  }
}
