/** Locks that expire and carry fencing tokens, on whatever store you already run. */
@org.jspecify.annotations.NullMarked
module dev.syncguard.lock {
  requires static org.jspecify;

  exports dev.syncguard.lock;
  exports dev.syncguard.lock.memory;
  exports dev.syncguard.lock.spi;
  exports dev.syncguard.lock.telemetry;
}
