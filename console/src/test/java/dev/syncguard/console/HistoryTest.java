package dev.syncguard.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.syncguard.lock.telemetry.LockEvent;
import dev.syncguard.lock.telemetry.LockEvent.Outcome;
import dev.syncguard.lock.telemetry.LockEvent.Reason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is remembered of the last hour. */
class HistoryTest {

  private static final String KEY = "0".repeat(23) + "a";
  private static final String ONE = "1".repeat(24);
  private static final String TWO = "2".repeat(24);

  private final History history = new History();
  private final LockTableState table = new LockTableState();

  @Test
  void looksAloneShowHoldersAndHowTheirLeasesEnded() {
    look(1_000, row(ONE, 900, 5_000));
    look(2_000); // gone before its end
    look(3_000, row(TWO, 2_900, 4_000));
    look(5_000); // gone after its end

    assertThat(ends()).containsExactly("RELEASED", "EXPIRED");
    assertThat(holds().get(0).get("from").asLong()).isEqualTo(900);
    assertThat(holds().get(0).get("to").asLong()).isEqualTo(2_000);
    assertThat(holds().get(1).get("to").asLong()).isEqualTo(4_000);
    assertThat(history.timeline(10).get("told").asBoolean()).isFalse();
  }

  @Test
  void whatAProcessTellsAndWhatALookSeesIsOneLease() {
    tell("p", 1_000, LockEvent.Type.ACQUIRE, Outcome.OK, null, KEY, ONE);
    look(1_100, row(ONE, 1_000, 9_000));
    tell("p", 1_200, LockEvent.Type.RELEASE, Outcome.OK, null, null, ONE);
    look(1_300);

    assertThat(holds()).hasSize(1);
    assertThat(holds().get(0).get("to").asLong()).isEqualTo(1_200);
    assertThat(holds().get(0).get("process").asText()).isEqualTo("p");
    assertThat(holds().get(0).get("fence").asText()).isEqualTo("7");
  }

  @Test
  void whoHasToldThatItHoldsALeaseIsItsHolderUntilItEnds() {
    tell("p", 1_000, LockEvent.Type.ACQUIRE, Outcome.OK, null, KEY, ONE);
    assertThat(history.holders().get(ONE).asText()).isEqualTo("p");
    tell("p", 1_200, LockEvent.Type.RELEASE, Outcome.OK, null, null, ONE);
    look(1_300, row(TWO, 1_250, 9_000));
    assertThat(history.holders()).as("of the second only a look knows").isEmpty();
  }

  @Test
  void aWaitEndsWithTheGrantAndTheHandOffIsMarked() {
    tell("p", 1_000, LockEvent.Type.ACQUIRE, Outcome.OK, null, KEY, ONE);
    tell("q", 1_100, LockEvent.Type.ACQUIRE, Outcome.FAIL, Reason.LOCKED, KEY, TWO);
    tell("q", 1_400, LockEvent.Type.ACQUIRE, Outcome.FAIL, Reason.LOCKED, KEY, TWO);
    assertThat(history.waiters().get(KEY).asInt()).isEqualTo(1);
    tell("p", 2_000, LockEvent.Type.RELEASE, Outcome.OK, null, null, ONE);
    tell("q", 2_010, LockEvent.Type.ACQUIRE, Outcome.OK, null, KEY, TWO);

    JsonNode wait = key().get("waits").get(0);
    assertThat(wait.get("from").asLong()).isEqualTo(1_090);
    assertThat(wait.get("to").asLong()).isEqualTo(2_010);
    assertThat(wait.get("granted").asBoolean()).isTrue();
    assertThat(holds().get(1).get("handedOver").asBoolean()).isTrue();
    assertThat(history.waiters().has(KEY)).isFalse();
    // One class ends at 1024 ms: 920 lies in it, and so does the wait of 10 ms below 16.
    assertThat(history.histograms().get("wait").get("total").asInt()).isEqualTo(2);
    assertThat(history.histograms().get("wait").get("p99").asInt()).isEqualTo(1_024);
  }

  @Test
  void aLeaseThatVanishedUnderItsHolderIsLostEvenIfALookSawItGoFirst() {
    look(1_000, row(ONE, 900, 9_000));
    look(2_000);
    assertThat(ends()).containsExactly("RELEASED");
    tell("p", 2_500, LockEvent.Type.RELEASE, Outcome.FAIL, Reason.NOT_FOUND, null, ONE);
    assertThat(ends()).containsExactly("LOST");
  }

  @Test
  void whoGivesAKeyBackTwiceHasLostNothing() {
    tell("p", 1_000, LockEvent.Type.ACQUIRE, Outcome.OK, null, KEY, ONE);
    tell("p", 2_000, LockEvent.Type.RELEASE, Outcome.OK, null, null, ONE);
    tell("p", 2_500, LockEvent.Type.RELEASE, Outcome.FAIL, Reason.NOT_FOUND, null, ONE);
    assertThat(ends()).containsExactly("RELEASED");
  }

  @Test
  void aHolderThatFindsOutTooLateHasLostIt() {
    look(1_000, row(ONE, 900, 1_500));
    look(2_000);
    assertThat(ends()).containsExactly("EXPIRED");
    tell("p", 2_500, LockEvent.Type.EXTEND, Outcome.FAIL, Reason.EXPIRED, null, ONE);

    assertThat(ends()).containsExactly("LOST");
  }

  @Test
  void anOperatorsActIsMarked() {
    look(1_000, row(ONE, 900, 9_000));
    tell("this console", 1_500, LockEvent.Type.FORCE_RELEASE, Outcome.OK, null, KEY, null);
    look(2_000);

    assertThat(ends()).containsExactly("FORCED");
  }

  @Test
  void anOperatorsActIsMarkedAlsoIfALookSawItsEffectFirstAndSomebodyElseHasTheKey() {
    look(1_000, row(ONE, 900, 9_000));
    look(1_500);
    look(1_505, row(TWO, 1_502, 9_000));
    tell("this console", 1_506, LockEvent.Type.FORCE_RELEASE, Outcome.OK, null, KEY, null);

    assertThat(ends()).containsExactly("FORCED");
    assertThat(holds().get(1).has("end")).isFalse();
  }

  @Test
  void aNewHolderEndsTheOneBefore() {
    look(1_000, row(ONE, 900, 9_000));
    tell("q", 1_500, LockEvent.Type.ACQUIRE, Outcome.OK, null, KEY, TWO);

    assertThat(holds().get(0).get("to").asLong()).isEqualTo(1_500);
    assertThat(history.timeline(10).get("keys").get(0).get("holds")).hasSize(2);
  }

  @Test
  void whatIsOlderThanAnHourIsForgottenAndSilentWaitersHaveLeft() {
    look(1_000, row(ONE, 900, 5_000));
    look(2_000);
    tell("q", 2_500, LockEvent.Type.ACQUIRE, Outcome.FAIL, Reason.LOCKED, KEY, TWO);
    history.tidy(2_500 + 61_000);
    assertThat(history.waiters().has(KEY)).isFalse();
    assertThat(key().get("waits").get(0).get("granted").asBoolean()).isFalse();

    history.tidy(History.KEPT_MS + 3_000);
    assertThat(history.of(KEY)).isEmpty();
  }

  @Test
  void itNeverKeepsMoreThanAThousandKeys() {
    for (int i = 0; i < 3_000; i++) {
      tell(
          "p",
          i,
          LockEvent.Type.ACQUIRE,
          Outcome.OK,
          null,
          String.format("%024x", i),
          String.format("%024x", i));
    }
    assertThat(history.timeline(5_000).get("keys")).hasSize(1_000);
    for (int i = 0; i < 500; i++) {
      tell(
          "p", i, LockEvent.Type.ACQUIRE, Outcome.OK, null, KEY, String.format("%024x", 9_000 + i));
    }
    assertThat(holds()).hasSize(100);
  }

  @Test
  void processesThatWaitForOneAnotherAreACircle() {
    String other = "0".repeat(23) + "b";
    tell("p", 1, LockEvent.Type.ACQUIRE, Outcome.OK, null, KEY, ONE);
    tell("q", 2, LockEvent.Type.ACQUIRE, Outcome.OK, null, other, TWO);
    tell("p", 3, LockEvent.Type.ACQUIRE, Outcome.FAIL, Reason.LOCKED, other, "3".repeat(24));
    assertThat(history.waits().get("processes").findValues("inCircle").toString())
        .isEqualTo("[false, false]");
    tell("q", 4, LockEvent.Type.ACQUIRE, Outcome.FAIL, Reason.LOCKED, KEY, "4".repeat(24));

    assertThat(history.waits().get("processes").findValues("inCircle").toString())
        .isEqualTo("[true, true]");
  }

  private void look(long now, LockRow... rows) {
    table.replace(List.of(rows), now, history.observing(now));
  }

  private static LockRow row(String id, long since, long until) {
    return new LockRow(
        id, KEY, "7", since, until, since, Optional.empty(), OptionalInt.empty(), Optional.empty());
  }

  private void tell(
      String process,
      long at,
      LockEvent.Type type,
      Outcome outcome,
      @Nullable Reason reason,
      @Nullable String key,
      @Nullable String id) {
    history.tell(new SentEvent(
        process,
        at,
        10,
        type,
        outcome,
        Optional.ofNullable(reason),
        Optional.ofNullable(key),
        Optional.ofNullable(id)));
  }

  private JsonNode key() {
    return history.of(KEY).orElseThrow();
  }

  private JsonNode holds() {
    return key().get("holds");
  }

  private List<String> ends() {
    return holds().findValuesAsText("end");
  }
}
