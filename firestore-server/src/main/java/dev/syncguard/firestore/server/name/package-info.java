/** Names of databases, documents and collections, and what may be one. */
@NullMarked
package dev.syncguard.firestore.server.name;

import org.jspecify.annotations.NullMarked;
