/** A servlet filter and a Spring interceptor that refuse late holders of a lock. */
@org.jspecify.annotations.NullMarked
module dev.syncguard.fence.web {
  requires static org.jspecify;
  requires transitive dev.syncguard.fence;
  requires static transitive jakarta.servlet;
  requires static transitive spring.webmvc;
  requires static spring.web;

  exports dev.syncguard.fence.web;
}
