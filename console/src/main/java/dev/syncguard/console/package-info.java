/** A local web page that shows who holds which lock, who waits, and what Firestore does. */
@NullMarked
package dev.syncguard.console;

import org.jspecify.annotations.NullMarked;
