/** What the guards cost that check fences. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.benchmarks.fence;
