/** Queries: checked, planned over the indexes, and run. */
@NullMarked
package dev.syncguard.firestore.server.query;

import org.jspecify.annotations.NullMarked;
