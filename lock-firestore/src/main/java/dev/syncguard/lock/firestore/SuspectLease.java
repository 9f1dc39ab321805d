package dev.syncguard.lock.firestore;

import dev.syncguard.lock.LockHash;
import java.time.Duration;

/**
 * A lease to be doubted, because the wall clock and the monotonic one went apart while it was held. Immutable.
 *
 * @param key the fingerprint of its key
 * @param lockId the fingerprint of its lock id
 * @param apart how far the wall clock went ahead: above zero if the machine slept or its clock was set forward, below
 *     zero if the clock was set back
 */
public record SuspectLease(LockHash key, LockHash lockId, Duration apart) {}
