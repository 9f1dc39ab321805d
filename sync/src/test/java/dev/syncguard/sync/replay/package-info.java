/**
 * What passed between one engine and the world, written down, and played back to another engine: the one that TeaVM has
 * compiled must do, step by step, what the one on the JVM did.
 */
@NullMarked
package dev.syncguard.sync.replay;

import org.jspecify.annotations.NullMarked;
