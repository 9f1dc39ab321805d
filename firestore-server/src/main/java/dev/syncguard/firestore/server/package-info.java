/** An embedded Firestore: start it, give clients its address, close it. */
@NullMarked
package dev.syncguard.firestore.server;

import org.jspecify.annotations.NullMarked;
