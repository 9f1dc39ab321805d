/** Checks over the sources of a backend, for rules that no test of its behaviour can see. */
@NullMarked
package dev.syncguard.lock.testkit.source;

import org.jspecify.annotations.NullMarked;
