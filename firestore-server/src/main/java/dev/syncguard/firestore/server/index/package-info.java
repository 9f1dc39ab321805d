/** What a firestore.indexes.json says: composite indexes, exemptions and times to live. */
@NullMarked
package dev.syncguard.firestore.server.index;

import org.jspecify.annotations.NullMarked;
