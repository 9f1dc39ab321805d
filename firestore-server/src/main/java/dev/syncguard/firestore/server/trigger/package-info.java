/** Triggers: what happens to documents, told to listeners and webhooks as Cloud Functions are told. */
@NullMarked
package dev.syncguard.firestore.server.trigger;

import org.jspecify.annotations.NullMarked;
