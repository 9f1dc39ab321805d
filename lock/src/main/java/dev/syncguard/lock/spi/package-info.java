/** What the author of a backend implements, and the rules that all backends share. */
@NullMarked
package dev.syncguard.lock.spi;

import org.jspecify.annotations.NullMarked;
