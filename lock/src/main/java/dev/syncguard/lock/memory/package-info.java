/** A backend inside one JVM and a clock that a test can set. */
@NullMarked
package dev.syncguard.lock.memory;

import org.jspecify.annotations.NullMarked;
