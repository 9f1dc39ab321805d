/** Finds what is wrong or doubtful in rules before they decide anything. */
@NullMarked
package dev.syncguard.rules.check;

import org.jspecify.annotations.NullMarked;
