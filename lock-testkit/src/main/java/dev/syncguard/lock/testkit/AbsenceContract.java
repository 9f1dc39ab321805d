package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.Capabilities.TimeAuthority;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.ReleaseResult;
import org.junit.jupiter.api.Test;

/** Why a lease is not there, as far as the store can tell, and whose clock decided. */
public abstract class AbsenceContract extends Contract {

  /** Returns what this store says of a lease that ended by itself, as long as nobody else has taken the key. */
  protected abstract Absence ofAnEndedLease();

  /** Returns whose clock decides on this store. */
  protected abstract TimeAuthority timeAuthority();

  private void assertAbsent(LockId id, Absence why) {
    assertThat(backend.extend(id, LONG, NEVER)).isEqualTo(new ExtendResult.Absent(why));
    assertThat(backend.release(id, NEVER)).isEqualTo(new ReleaseResult.Absent(why));
  }

  @Test
  void aLeaseThatNeverWasIsNotFound() {
    assertAbsent(newId(), Absence.NOT_FOUND);
  }

  @Test
  void aLeaseThatWasReleasedIsNotFound() {
    Grant grant = take("report");
    assertThat(release(grant)).isTrue();
    assertAbsent(grant.id(), Absence.NOT_FOUND);
  }

  @Test
  void aLeaseThatEndedByItselfIsSaidToHaveEndedWhereTheStoreKeepsIt() {
    Grant grant = take("report", SHORT);
    passBeyond(SHORT);
    assertAbsent(grant.id(), ofAnEndedLease());
  }

  @Test
  void aLeaseWhoseKeyHasAnotherHolderIsNotFound() {
    Grant grant = take("report", SHORT);
    passBeyond(SHORT);
    Grant next = take("report");
    assertAbsent(grant.id(), Absence.NOT_FOUND);
    assertHeld(next);
  }

  @Test
  void theBackendSaysWhoseClockDecides() {
    assertThat(backend.capabilities().timeAuthority()).isEqualTo(timeAuthority());
  }
}
