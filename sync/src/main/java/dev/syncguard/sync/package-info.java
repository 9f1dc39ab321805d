/**
 * Reader-state sync: {@link dev.syncguard.sync.PersistenceSync} is what a page or a program opens, built from a
 * {@link dev.syncguard.sync.SyncConfig}, and everything outside comes in through the small interfaces of
 * {@link dev.syncguard.sync.SyncPorts}. What stands behind it is not for users: {@code engine} decides what to do and does
 * it, {@code remote} speaks to Firestore, {@code local} keeps what a device stores, {@code state} merges.
 *
 * <p>All of it is plain single-threaded Java that TeaVM compiles for the browser: one thread calls in, every answer
 * comes back on that thread through a callback, and nothing here may be shared by threads unless it says so. Times and
 * delays are {@code long} milliseconds, named so, because that is what the stored formats and browsers speak and because
 * {@code java.time} would be a third of the compiled script.
 */
@NullMarked
package dev.syncguard.sync;

import org.jspecify.annotations.NullMarked;
