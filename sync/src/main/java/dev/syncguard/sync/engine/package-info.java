/**
 * What happens behind the door: {@link dev.syncguard.sync.engine.Engine} asks {@code Agenda} what to do next and starts the
 * run that does it: {@code Identification}, {@code PullRun}, {@code PushRun} or {@code ResetRun}. What these runs share is
 * the {@code Session}.
 */
@NullMarked
package dev.syncguard.sync.engine;

import org.jspecify.annotations.NullMarked;
