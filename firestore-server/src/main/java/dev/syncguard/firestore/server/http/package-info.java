/** What stands between the socket and both protocols. */
@NullMarked
package dev.syncguard.firestore.server.http;

import org.jspecify.annotations.NullMarked;
