/** Firestore's REST interface and the emulator's own endpoints. */
@NullMarked
package dev.syncguard.firestore.server.rest;

import org.jspecify.annotations.NullMarked;
