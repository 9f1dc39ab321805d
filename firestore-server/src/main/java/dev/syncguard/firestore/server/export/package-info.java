/** Exports on disk, in the format of the official emulator and of production: to write them and to read them back. */
@NullMarked
package dev.syncguard.firestore.server.export;

import org.jspecify.annotations.NullMarked;
