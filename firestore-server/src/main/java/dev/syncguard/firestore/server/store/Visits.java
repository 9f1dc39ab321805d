package dev.syncguard.firestore.server.store;

/** How much somebody has looked at. Used by one thread. */
final class Visits {
  long entries;
  long documents;
}
