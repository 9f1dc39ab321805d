/** Turns the packages {@code browser} and {@code page} and the sync engine into one file. Runs inside of the build only. */
@NullMarked
package dev.syncguard.userscript.build;

import org.jspecify.annotations.NullMarked;
