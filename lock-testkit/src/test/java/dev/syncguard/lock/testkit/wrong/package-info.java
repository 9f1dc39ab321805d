/** A backend that is as plain as can be, and what happens to the contracts when one thing about it is wrong. */
@NullMarked
package dev.syncguard.lock.testkit.wrong;

import org.jspecify.annotations.NullMarked;
