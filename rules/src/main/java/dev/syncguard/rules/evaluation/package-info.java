/** Finds out what expressions of security rules come to. */
@NullMarked
package dev.syncguard.rules.evaluation;

import org.jspecify.annotations.NullMarked;
