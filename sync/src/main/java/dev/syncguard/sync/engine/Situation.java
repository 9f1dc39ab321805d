package dev.syncguard.sync.engine;

import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.remote.Quota;
import java.util.Set;

/** Everything that decides what sync does next, at one moment. Ages and waits are in milliseconds. */
record Situation(
    Permission permission,
    Presence presence,
    Pulls pulls,
    Changes changes,
    Pace pace,
    Cooldown cooldown) {

  /**
   * What this session may do.
   *
   * @param read whether it may ask the server at all
   * @param write whether it may also write
   * @param resetPending whether a reset has yet to reach the remote
   */
  record Permission(boolean read, boolean write, boolean resetPending) {}

  /**
   * Where the reader is.
   *
   * @param here whether the page is visible and its reader not away
   * @param parting whether the page has just been hidden, perhaps for good
   * @param urgent whether somebody asked for a push without waiting for more changes
   */
  record Presence(boolean here, boolean parting, boolean urgent) {}

  /**
   * When to pull.
   *
   * @param wanted whether there is a reason to pull now
   * @param dueIn the time to the next periodic pull
   */
  record Pulls(boolean wanted, long dueIn) {}

  /**
   * What waits to be pushed.
   *
   * @param dirty the fields that hold something new
   * @param holdLoadFrom for how long a date to load from is held back
   * @param firstAge how long the oldest unpushed change of this tab has waited
   * @param lastAge how long the newest one of the device has
   */
  record Changes(Set<SyncedField> dirty, long holdLoadFrom, long firstAge, long lastAge) {}

  /**
   * How fast the device may push, all its tabs together.
   *
   * @param pushAge the time since its last push
   * @param readOnlyPushAge the time since its last push of nothing but read marks
   * @param otherTabBusy for how long another tab may still be pushing
   * @param retryWait the rest of this tab's pause after a failure
   * @param untilTomorrow the rest of the day in UTC
   */
  record Pace(
      long pushAge,
      long readOnlyPushAge,
      long otherTabBusy,
      long retryWait,
      Quota.Budget budget,
      long untilTomorrow) {}

  /**
   * The server's quota.
   *
   * @param limited whether the server is out of quota as far as we know
   * @param timeLeft the rest of the cooldown
   * @param writesRefused whether it was a write that was refused
   * @param recoveryAge the time since a cooldown ended
   * @param pushesSinceRecovery how many pushes this tab made since then
   */
  record Cooldown(
      boolean limited,
      long timeLeft,
      boolean writesRefused,
      long recoveryAge,
      int pushesSinceRecovery) {}
}
