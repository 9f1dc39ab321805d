/**
 * Takes locks on a store with many workers, hurts the workers, and judges what the store answered.
 *
 * <p>{@link Campaign} runs it; a {@link Crew} says what workers are: processes ({@link ProcessCrew}) or, for tests of
 * something that no process can load, threads ({@link ThreadCrew}).
 */
@NullMarked
package dev.syncguard.torture;

import org.jspecify.annotations.NullMarked;
