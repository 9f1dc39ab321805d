/** What a person who debugs may see: the latest requests, open transactions and listeners, missing indexes. */
@NullMarked
package dev.syncguard.firestore.server.inspect;

import org.jspecify.annotations.NullMarked;
