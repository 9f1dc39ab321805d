/** The text of security rules and what it says, from characters to a checked tree. */
@NullMarked
package dev.syncguard.rules.syntax;

import org.jspecify.annotations.NullMarked;
