/** The values that expressions of security rules have, and what they have instead when there is none. */
@NullMarked
package dev.syncguard.rules.value;

import org.jspecify.annotations.NullMarked;
