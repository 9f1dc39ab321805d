package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.ReleaseResult;
import org.junit.jupiter.api.Test;

/**
 * What a backend tells in passing: why a lease was not there, and whose clock decides.
 *
 * <p>A store that forgets what has ended cannot tell it from what never was; no store may take one for the other the other
 * way round.
 */
public abstract class AnswersContract extends Contract {

  private Absence released(LockId id) {
    ReleaseResult result = backend.release(id, NEVER);
    assertThat(result).isInstanceOf(ReleaseResult.Absent.class);
    return ((ReleaseResult.Absent) result).reason();
  }

  private Absence extended(LockId id) {
    ExtendResult result = backend.extend(id, LONG, NEVER);
    assertThat(result).isInstanceOf(ExtendResult.Absent.class);
    return ((ExtendResult.Absent) result).reason();
  }

  @Test
  void aLeaseThatNeverWasHasNotExpired() {
    assertThat(extended(newId())).isIn(Absence.NOT_FOUND, Absence.UNKNOWN);
    assertThat(released(newId())).isIn(Absence.NOT_FOUND, Absence.UNKNOWN);
  }

  @Test
  void aLeaseThatWasReleasedHasNotExpired() {
    Grant grant = take("report");
    release(grant);
    assertThat(extended(grant.id())).isIn(Absence.NOT_FOUND, Absence.UNKNOWN);
    assertThat(released(grant.id())).isIn(Absence.NOT_FOUND, Absence.UNKNOWN);
  }

  @Test
  void aLeaseThatEndedByItselfIsToldAsFarAsTheStoreKnows() {
    Grant grant = take("report", SHORT);
    passBeyond(SHORT);
    assertThat(extended(grant.id())).isEqualTo(fixture().absenceOfExpired());
    assertThat(released(grant.id())).isIn(fixture().absenceOfExpired(), Absence.NOT_FOUND);
    assertFree("report");
  }

  @Test
  void aLeaseThatAnotherHolderHasReplacedIsNotFound() {
    Grant grant = take("report", SHORT);
    passBeyond(SHORT);
    Grant next = take("report");
    assertThat(extended(grant.id())).isIn(Absence.NOT_FOUND, Absence.UNKNOWN);
    assertThat(released(grant.id())).isIn(Absence.NOT_FOUND, Absence.UNKNOWN);
    assertHeld(next);
  }

  @Test
  void theClockThatDecidesIsTheOneThatIsNamed() {
    Capabilities capabilities = backend.capabilities();
    assertThat(capabilities.timeAuthority()).isEqualTo(fixture().timeAuthority());
    assertThat(capabilities.supportsFencing()).isTrue();
  }
}
