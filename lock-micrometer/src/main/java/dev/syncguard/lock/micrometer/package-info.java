/** Micrometer meters and observations of locks. */
@NullMarked
package dev.syncguard.lock.micrometer;

import org.jspecify.annotations.NullMarked;
