/** Backends that fail on purpose, for tests of what happens then. */
@NullMarked
package dev.syncguard.lock.testkit.faults;

import org.jspecify.annotations.NullMarked;
