/** Locks on Firestore beside bare transactions through the same client. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.benchmarks.firestorelocks;
