/** The command line of SyncGuard: one class per command. */
@NullMarked
package dev.syncguard.cli;

import org.jspecify.annotations.NullMarked;
