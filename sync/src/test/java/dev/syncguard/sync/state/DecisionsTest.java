package dev.syncguard.sync.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.ReaderState;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DecisionsTest {

  private static final String EARLY = "2026-01-01T00:00:00Z";
  private static final String LATE = "2026-01-02T00:00:00+01:00";

  @Test
  void whoeverMissedAClearingHasNoSay() {
    assertThat(Decisions.survives(2, 2)).isTrue();
    assertThat(Decisions.survives(1, 2)).isFalse();
  }

  @Test
  void whatWasReadAnywhereIsRead() {
    assertThat(Decisions.unite(Set.of("a", "b"), Set.of("b", "c")))
        .containsExactlyInAnyOrder("a", "b", "c");
    Set<String> remote = Set.of("a", "b");
    assertThat(Decisions.unite(Set.of("a"), remote)).isSameAs(remote);
  }

  @Test
  void recentBeatsEveryDateAndTheLaterDateTheEarlier() {
    String recent = ReaderState.LOAD_RECENT;
    assertThat(Decisions.chooseLoadFrom(recent, LATE)).isEqualTo(recent);
    assertThat(Decisions.chooseLoadFrom(LATE, recent)).isEqualTo(recent);
    assertThat(Decisions.chooseLoadFrom(EARLY, LATE)).isEqualTo(LATE);
    assertThat(Decisions.chooseLoadFrom(LATE, EARLY)).isEqualTo(LATE);
    assertThat(Decisions.chooseLoadFrom("", EARLY)).isEqualTo(EARLY);
    assertThat(Decisions.chooseLoadFrom(EARLY, "")).isEqualTo(EARLY);
  }

  @Test
  void anEpochFarBeyondOnesOwnWasForged() {
    assertThat(Decisions.isPlausible(7, 100_007)).isTrue();
    assertThat(Decisions.isPlausible(7, 100_008)).isFalse();
  }

  @Test
  void workIsOutdatedByAResetThatBeganOrEndedSince() {
    SyncMeta stored = SyncMeta.fresh("device");
    assertThat(Decisions.sameReset(stored.resetId(), false, stored)).isTrue();
    assertThat(Decisions.sameReset(stored.resetId(), true, stored)).isFalse();
    assertThat(Decisions.sameReset(stored.resetId() + "x", false, stored)).isFalse();
  }

  @Test
  void onlyAPreferenceThatWasChangedHereWins() {
    assertThat(Decisions.ownPreferenceWins("Ann", Set.of("Ann"))).isTrue();
    assertThat(Decisions.ownPreferenceWins("Bob", Set.of("Ann"))).isFalse();
  }

  @Test
  void aResetGoesBeyondBothSidesUpToTheHighestCounter() {
    assertThat(Decisions.resetEpoch(3, 1)).isEqualTo(4);
    assertThat(Decisions.resetEpoch(1, 3)).isEqualTo(4);
    assertThat(Decisions.resetEpoch(0, 1_000_000_000)).isEqualTo(1_000_000_000);
  }

  @Test
  void repeatingAResetGoesNoFurther() {
    assertThat(Decisions.replayEpoch(4, 1)).isEqualTo(4);
    assertThat(Decisions.replayEpoch(4, 4)).isEqualTo(4);
    assertThat(Decisions.replayEpoch(4, 6)).isEqualTo(6);
  }

  @Test
  void aResetStandsOnlyIfItWasChosenWithTheRemoteInView() {
    assertThat(Decisions.resetStands(true, 4, 4)).isTrue();
    assertThat(Decisions.resetStands(true, 4, 3)).isFalse();
    assertThat(Decisions.resetStands(false, 4, 5)).isFalse();
  }

  @Test
  void aWriteConfirmsNothingThatChangedAfterItWasBuilt() {
    assertThat(Decisions.confirms(7, 7)).isTrue();
    assertThat(Decisions.confirms(7, 8)).isFalse();
  }

  @Test
  void anAnswerFromBeforeAResetOrASwitchHasNoEffect() {
    assertThat(Decisions.stillCurrent(1, 1)).isTrue();
    assertThat(Decisions.stillCurrent(1, 2)).isFalse();
  }
}
