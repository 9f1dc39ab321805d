package dev.syncguard.torture.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.torture.history.Event.Ending;
import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Event.Looked;
import dev.syncguard.torture.history.Event.Refused;
import dev.syncguard.torture.history.Violation.Kind;
import org.junit.jupiter.api.Test;

/** Histories by hand, one for each promise, and beside each the nearest one that breaks none. Times are milliseconds. */
class JudgeTest {

  private final Story story = new Story();

  private void assertFinds(Kind... kinds) {
    assertThat(story.violations()).extracting(Violation::kind).containsExactlyInAnyOrder(kinds);
  }

  @Test
  void aHistoryInWhichNothingHappensBreaksNothing() {
    assertFinds();
  }

  @Test
  void leasesOneAfterTheOtherWithGrowingFencesBreakNothing() {
    story.lease(1, 0, 10, 1).promise(20, 2000).release(30, 35, Ending.ENDED);
    story.lease(2, 5, 40, 2).promise(50, 2000).release(60, 65, Ending.ENDED);
    assertFinds();
  }

  @Test
  void aFenceThatIsHandedOutTwiceIsFound() {
    story.lease(1, 0, 10, 7).release(30, 35, Ending.ENDED);
    story.lease(2, 40, 50, 7).release(60, 65, Ending.ENDED);
    assertFinds(Kind.REPEATED_FENCE);
  }

  @Test
  void theSameFenceOnAnotherKeyIsNoRepetition() {
    story.lease(1, 0, 10, 7).release(30, 35, Ending.ENDED);
    story.on("other").lease(2, 40, 50, 7).release(60, 65, Ending.ENDED);
    assertFinds();
  }

  @Test
  void aFenceThatTwoWorkersWroteWithIsFoundAlsoIfOneOfThemDiedBeforeItToldOfItsGrant() {
    story.lease(1, 0, 10, 7).write(15, true).release(30, 35, Ending.ENDED);
    story.attempt(2).write(50, true);
    assertFinds(Kind.REPEATED_FENCE);
  }

  @Test
  void aFenceBelowOneThatWasGrantedBeforeItWasAskedForIsFound() {
    story.lease(1, 0, 10, 9).release(30, 35, Ending.ENDED);
    story.lease(2, 40, 50, 8).release(60, 65, Ending.ENDED);
    assertFinds(Kind.FALLING_FENCE);
  }

  @Test
  void aFenceThatARefusedAttemptUsedUpIsFound() {
    story.lease(1, 0, 10, 1).release(30, 35, Ending.ENDED);
    story.refuse(2, 20, 25, Event.Refused.HELD);
    story.lease(2, 40, 50, 3).release(60, 65, Ending.ENDED);
    assertFinds(Kind.SKIPPED_FENCE);
  }

  @Test
  void aFenceThatAnAttemptOfUnknownOutcomeMayHaveUsedUpIsNoGap() {
    story.lease(1, 0, 10, 1).release(30, 35, Ending.ENDED);
    story.refuse(2, 20, 25, "ServiceUnavailable");
    story.lease(2, 40, 50, 3).release(60, 65, Ending.ENDED);
    assertFinds();
  }

  @Test
  void aFenceOfAGrantWhoseAnswerTookLongerThanTheLeaseIsNoGap() {
    story.lease(1, 0, 10, 1).release(20, 25, Ending.ENDED);
    story.lease(2, 30, 2030, 3).release(2040, 2045, Ending.ENDED);
    assertFinds();
  }

  @Test
  void aFenceTooManyIsFoundAlsoIfOneAttemptTookLongerThanALease() {
    story.lease(1, 0, 10, 1).release(20, 25, Ending.ENDED);
    story.lease(2, 30, 2030, 4).release(2040, 2045, Ending.ENDED);
    assertFinds(Kind.SKIPPED_FENCE);
  }

  @Test
  void anAttemptThatIsOverUsesUpNothingMore() {
    story.lease(1, 0, 10, 1).release(20, 25, Ending.ENDED);
    story.lease(2, 5000, 5010, 3).release(5020, 5025, Ending.ENDED);
    assertFinds(Kind.SKIPPED_FENCE);
  }

  @Test
  void fencesThatWereUsedUpAfterSomebodyWasHurtAreNoGap() {
    story.lease(1, 0, 10, 1).release(20, 25, Ending.ENDED);
    story.hurt("late-requests", 1, 26, 30);
    story.lease(2, 40, 50, 7).release(60, 65, Ending.ENDED);
    assertFinds();
  }

  @Test
  void answersThatOvertakeEachOtherAreNoFallOfFences() {
    story.lease(1, 0, 30, 8).release(31, 35, Ending.ABSENT);
    story.lease(2, 5, 20, 9).release(40, 45, Ending.ENDED);
    assertFinds();
  }

  @Test
  void aGrantThatTheLibraryRefusedBecauseOfItsFenceIsFound() {
    story.refuse(1, 0, 10, "FenceRegression");
    assertFinds(Kind.FALLING_FENCE);
  }

  @Test
  void aHolderThatIsSureOfItsLeaseAfterTheNextOneWasGrantedIsFound() {
    story.lease(1, 0, 10, 1).promise(20, 100).promise(60, 150).release(70, 75, Ending.UNKNOWN);
    story.lease(2, 5, 50, 2).promise(55, 2000).release(80, 85, Ending.ENDED);
    assertFinds(Kind.OVERLAP);
  }

  @Test
  void aHolderWhoseAnswerCameAfterThatOfTheNextOneIsFound() {
    story.lease(1, 0, 60, 1).promise(61, 100).release(70, 75, Ending.UNKNOWN);
    story.lease(2, 5, 50, 2).promise(55, 2000).release(80, 85, Ending.ENDED);
    assertFinds(Kind.OVERLAP);
  }

  @Test
  void aLeaseWhosePromiseWasNotKeptIsFoundAlsoIfItsHolderNeverLookedAgain() {
    story.lease(1, 0, 10, 1).promise(20, 100).abandon(21);
    story.lease(2, 5, 50, 2).release(80, 85, Ending.ENDED);
    assertFinds(Kind.BROKEN_PROMISE);
  }

  @Test
  void aPromiseIsBrokenOnceHoweverManyGotTheKeyMeanwhile() {
    story.lease(1, 0, 10, 1).promise(20, 2000).abandon(21);
    story.lease(2, 5, 50, 2).release(80, 85, Ending.ENDED);
    story.lease(3, 6, 90, 3).release(95, 99, Ending.ENDED);
    assertFinds(Kind.BROKEN_PROMISE);
  }

  @Test
  void aLeaseThatIsGoneWhenItIsReleasedBeforeItsPromisedEndIsFound() {
    story.lease(1, 0, 10, 1).promise(20, 2000).release(30, 35, Ending.ABSENT);
    assertFinds(Kind.BROKEN_PROMISE);
  }

  @Test
  void aLeaseMayBeGoneAfterItsPromisedEnd() {
    story.lease(1, 0, 10, 1).promise(20, 2000).release(1990, 2001, Ending.ABSENT);
    assertFinds();
  }

  @Test
  void aLeaseMayBeGoneIfTheAnswerToAFirstReleaseWasLost() {
    story.hurt("lost-replies", 1, 5, 60);
    story.lease(1, 0, 10, 1).promise(20, 2000).release(30, 35, Ending.ABSENT);
    story.lease(2, 5, 50, 2).promise(55, 2000).release(60, 1070, Ending.ABSENT);
    assertFinds();
  }

  @Test
  void aPromiseEndsWithTheReleaseOfItsHolder() {
    story.lease(1, 0, 10, 1).promise(20, 2000).release(30, 90, Ending.UNKNOWN);
    story.lease(2, 5, 50, 2).release(80, 85, Ending.ENDED);
    assertFinds();
  }

  @Test
  void aPromiseThatWasOverBreaksNothing() {
    story.lease(1, 0, 10, 1).promise(20, 49).abandon(25);
    story.lease(2, 5, 50, 2).release(80, 85, Ending.ENDED);
    assertFinds();
  }

  @Test
  void aReleaseThatSucceedsAfterTheKeyHasPassedOnIsFound() {
    story.lease(1, 0, 10, 1).release(70, 75, Ending.ENDED);
    story.lease(2, 5, 50, 2).release(80, 85, Ending.ENDED);
    assertFinds(Kind.LATE_RELEASE);
  }

  @Test
  void anIdThatWorksAfterItsLeaseHasEndedIsFound() {
    story.lease(1, 0, 10, 1).release(20, 25, Ending.ENDED).stray(30, 35, "release", true);
    assertFinds(Kind.STRAY_SUCCESS);
  }

  @Test
  void anIdThatALateRequestBroughtBackToLifeProvesNothing() {
    story.hurt(Hurt.LATE, 1, 5, 60);
    story.lease(1, 0, 10, 1).release(20, 25, Ending.ENDED).stray(30, 35, "release", true);
    story.lease(2, 5, 50, 2).release(80, 85, Ending.ENDED);
    assertFinds();
  }

  @Test
  void aLateRequestOfSomebodyElseIsNoExcuse() {
    story.hurt(Hurt.LATE, 2, 5, 60);
    story.lease(1, 0, 10, 1).release(20, 25, Ending.ENDED).stray(30, 35, "release", true);
    assertFinds(Kind.STRAY_SUCCESS);
  }

  @Test
  void anIdThatDoesNotWorkAnyMoreIsAsItShouldBe() {
    story.lease(1, 0, 10, 1).release(20, 25, Ending.ENDED).stray(30, 35, "extend", false);
    assertFinds();
  }

  @Test
  void aKeyThatIsSaidToBeFreeWhileItIsHeldIsFound() {
    story.lease(1, 0, 10, 1).promise(20, 2000).look(30, 35, 0).release(40, 45, Ending.ENDED);
    assertFinds(Kind.WRONG_ANSWER);
  }

  @Test
  void aKeyThatIsSaidToBeHeldBySomebodyElseIsFound() {
    story.lease(1, 0, 10, 1).promise(20, 2000).look(30, 35, 4).release(40, 45, Ending.ENDED);
    assertFinds(Kind.WRONG_ANSWER);
  }

  @Test
  void aLookAtTheHolderIsRightWithAndWithoutItsFence() {
    story
        .lease(1, 0, 10, 1)
        .promise(20, 2000)
        .look(30, 35, 1)
        .look(36, 37, Looked.SOMEBODY)
        .release(40, 45, Ending.ENDED)
        .look(46, 50, 0);
    assertFinds();
  }

  @Test
  void aLeaseThatIsShownAfterItHasEndedIsFound() {
    story.lease(1, 0, 10, 1).release(20, 25, Ending.ENDED).look(30, 35, 1);
    story.on("left").lease(1, 0, 10, 1).abandon(20).look(3100, 3110, 1);
    assertFinds(Kind.WRONG_ANSWER, Kind.WRONG_ANSWER);
  }

  @Test
  void aLeaseThatIsStillToleratedMayBeShown() {
    story.lease(1, 0, 10, 1).abandon(20).look(2900, 2910, 1);
    assertFinds();
  }

  @Test
  void anErrorThatSaysThatWaitingWouldNotHelpIsFound() {
    story.refuse(1, 0, 10, "Internal");
    story.refuse(2, 0, 10, "ServiceUnavailable");
    story.refuse(3, 0, 10, Refused.HELD);
    assertFinds(Kind.WRONG_ERROR);
  }

  @Test
  void aKeyThatNobodyGetsAlthoughAllLeasesAreOverIsFound() {
    story.lease(1, 0, 10, 1).abandon(20);
    // Over at 3,020 at the latest; then ten seconds are too much.
    story.wait(2, 30, 13_100, "AcquisitionTimeout");
    assertFinds(Kind.STUCK_KEY);
  }

  @Test
  void aKeyThatIsTakenInTimeAfterALeaseHasRunOutIsNotStuck() {
    story.lease(1, 0, 10, 1).abandon(20);
    story.lease(2, 30, 13_000, 2).release(13_010, 13_020, Ending.ENDED);
    assertFinds();
  }

  @Test
  void aKeyIsNotStuckWhileWhoeverMightHaveItWasHurt() {
    story.hurt(Hurt.KILL, 3, 9_000, 9_010);
    story.wait(2, 30, 20_000, "AcquisitionTimeout");
    assertFinds();
  }

  @Test
  void aKeyIsStuckIfItStaysLockedForTooLongAfterTheLastHarm() {
    story.hurt(Hurt.KILL, 3, 9_000, 9_010);
    story.wait(2, 30, 22_100, "AcquisitionTimeout");
    assertFinds(Kind.STUCK_KEY);
  }

  @Test
  void aWaiterThatGetsItsKeyLongAfterTheReleaseIsFound() {
    story.lease(1, 0, 10, 1).release(20, 25, Ending.ENDED);
    story.lease(2, 5, 5_100, 2).release(5_110, 5_120, Ending.ENDED);
    assertFinds(Kind.LOST_WAKE_UP);
  }

  @Test
  void waitersThatAllGetTheirKeyASecondAfterTheReleaseAreNotWoken() {
    for (int i = 0; i < 12; i++) {
      int begin = 1000 * i;
      story
          .lease(i % 2, Math.max(0, begin - 990), begin + 10, i + 1)
          .release(begin + 20, begin + 25, Ending.ENDED);
    }
    assertFinds(Kind.LOST_WAKE_UP);
  }

  @Test
  void whoeverComesAfterTheReleaseHasNotBeenWaiting() {
    story.lease(1, 0, 10, 1).release(20, 25, Ending.ENDED);
    story.lease(2, 6_000, 6_010, 2).release(6_020, 6_030, Ending.ENDED);
    assertFinds();
  }
}
