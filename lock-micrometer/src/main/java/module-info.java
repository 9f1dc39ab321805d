/** Micrometer meters and observations of locks. */
@org.jspecify.annotations.NullMarked
module dev.syncguard.lock.micrometer {
  requires static org.jspecify;
  requires transitive dev.syncguard.lock;
  requires transitive micrometer.core;
  requires transitive micrometer.observation;
  requires micrometer.commons;

  exports dev.syncguard.lock.micrometer;
}
