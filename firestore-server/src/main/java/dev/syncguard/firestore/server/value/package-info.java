/** Values, field paths, masks and transforms as pure functions. */
@NullMarked
package dev.syncguard.firestore.server.value;

import org.jspecify.annotations.NullMarked;
