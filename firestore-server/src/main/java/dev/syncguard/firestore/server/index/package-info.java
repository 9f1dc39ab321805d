/** What a firestore.indexes.json says: composite indexes, exemptions and TTL policies. */
@NullMarked
package dev.syncguard.firestore.server.index;

import org.jspecify.annotations.NullMarked;
