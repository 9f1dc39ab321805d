package dev.syncguard.sync;

import java.util.Set;

/**
 * Everything that decides what sync does next, at one moment. Ages and waits are in milliseconds.
 *
 * @param mayRead whether this session may ask the server at all
 * @param mayWrite whether it may also write
 * @param resetPending whether a reset has yet to reach the remote
 * @param present whether the page is visible and its reader not away
 * @param parting whether the page has just been hidden, perhaps for good
 * @param urgent whether somebody asked for a push without waiting for more changes
 * @param pullWanted whether there is a reason to pull now
 * @param pullDueIn the time to the next periodic pull
 * @param dirty the fields that hold something new
 * @param readRefused whether the server does not take read marks for now
 * @param holdLoadFrom for how long a date to load from is held back
 * @param firstChangeAge how long the oldest unpushed change has waited
 * @param lastChangeAge how long the newest one has
 * @param pushAge the time since any tab of this device pushed
 * @param readOnlyPushAge the time since this tab pushed nothing but read marks
 * @param retryWait the rest of the pause after a failure
 * @param quotaLimited whether the server is out of quota as far as we know
 * @param quotaWait the rest of the cooldown
 * @param recoveryAge the time since a cooldown ended
 * @param pushesSinceRecovery how many pushes this tab made since then
 * @param untilTomorrow the rest of the day in UTC
 */
record Situation(
    boolean mayRead,
    boolean mayWrite,
    boolean resetPending,
    boolean present,
    boolean parting,
    boolean urgent,
    boolean pullWanted,
    long pullDueIn,
    Set<SyncedField> dirty,
    boolean readRefused,
    long holdLoadFrom,
    long firstChangeAge,
    long lastChangeAge,
    long pushAge,
    long readOnlyPushAge,
    long retryWait,
    boolean quotaLimited,
    long quotaWait,
    long recoveryAge,
    int pushesSinceRecovery,
    Quota.Budget budget,
    long untilTomorrow) {}
