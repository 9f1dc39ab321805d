/** Guards that refuse late holders of a lock. Whoever uses the one for databases or for HTTP has that part of the JDK. */
@org.jspecify.annotations.NullMarked
module dev.syncguard.fence {
  requires static org.jspecify;
  requires transitive dev.syncguard.lock;
  requires static transitive java.net.http;
  requires static transitive java.sql;

  exports dev.syncguard.fence;
}
