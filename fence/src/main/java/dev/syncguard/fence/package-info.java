/** Guards that stand in front of what a lock protects and refuse whoever comes with a fence that is too old. */
@NullMarked
package dev.syncguard.fence;

import org.jspecify.annotations.NullMarked;
