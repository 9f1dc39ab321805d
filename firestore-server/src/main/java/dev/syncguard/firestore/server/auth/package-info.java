/** Who asks, what for, and whether that is allowed. */
@NullMarked
package dev.syncguard.firestore.server.auth;

import org.jspecify.annotations.NullMarked;
