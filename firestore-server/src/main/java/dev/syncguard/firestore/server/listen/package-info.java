/** Listeners: targets, and what changed for them. */
@NullMarked
package dev.syncguard.firestore.server.listen;

import org.jspecify.annotations.NullMarked;
