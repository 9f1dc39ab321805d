/**
 * What a device knows of a reader, and how it is merged with what others know: values and pure functions, without a
 * store, a clock or a network. {@link dev.syncguard.sync.state.Decisions} holds the choices on which safety rests.
 */
@NullMarked
package dev.syncguard.sync.state;

import org.jspecify.annotations.NullMarked;
