package dev.syncguard.firestore.server.query;

import dev.syncguard.firestore.server.value.FieldPath;

/** One field to sort by, and the direction. */
record Ordering(FieldPath field, boolean descending) {}
