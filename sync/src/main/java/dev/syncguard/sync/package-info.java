/**
 * Reader-state sync: {@link dev.syncguard.sync.PersistenceSync} is the engine,
 * {@link dev.syncguard.sync.FirestoreSyncBackend} speaks to Firestore, and everything else outside comes in through the
 * small interfaces of {@link dev.syncguard.sync.SyncPorts}.
 *
 * <p>The package is plain single-threaded Java that TeaVM compiles for the browser: one thread calls in, every answer
 * comes back on that thread through a callback, and nothing here may be shared by threads unless it says so. Times and
 * delays are {@code long} milliseconds, named so, because that is what the stored formats and browsers speak and because
 * {@code java.time} would be a third of the compiled script.
 */
@NullMarked
package dev.syncguard.sync;

import org.jspecify.annotations.NullMarked;
