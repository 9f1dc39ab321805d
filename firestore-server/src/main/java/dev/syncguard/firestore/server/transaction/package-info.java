/** Transactions: locks, deadlocks, snapshots and expiry. */
@NullMarked
package dev.syncguard.firestore.server.transaction;

import org.jspecify.annotations.NullMarked;
