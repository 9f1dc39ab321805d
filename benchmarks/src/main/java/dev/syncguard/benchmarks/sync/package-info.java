/** What the sync of a reader's state costs. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.benchmarks.sync;
