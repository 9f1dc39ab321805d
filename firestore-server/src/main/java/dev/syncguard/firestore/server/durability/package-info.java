/** The commit log on disk. */
@NullMarked
package dev.syncguard.firestore.server.durability;

import org.jspecify.annotations.NullMarked;
