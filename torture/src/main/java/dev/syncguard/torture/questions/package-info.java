/** Questions to a store that nobody hurts, whose answers are known beforehand. */
@NullMarked
package dev.syncguard.torture.questions;

import org.jspecify.annotations.NullMarked;
