/** Clocks, threads and interrupts of the JVM. Machinery: not exported. */
@NullMarked
package dev.syncguard.lock.runtime;

import org.jspecify.annotations.NullMarked;
