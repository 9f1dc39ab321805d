/** Google's own integration tests, run against our server. */
@NullMarked
package dev.syncguard.firestore.server.google;

import org.jspecify.annotations.NullMarked;
