/** OpenTelemetry spans of locks. */
@org.jspecify.annotations.NullMarked
module dev.syncguard.lock.opentelemetry {
  requires static org.jspecify;
  requires transitive dev.syncguard.lock;
  requires transitive io.opentelemetry.api;
  requires io.opentelemetry.context;

  exports dev.syncguard.lock.opentelemetry;
}
