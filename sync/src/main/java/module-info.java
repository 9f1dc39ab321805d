/** The state of a forum reader, kept equal on all of a person's devices through one Firestore document. */
@org.jspecify.annotations.NullMarked
module dev.syncguard.sync {
  requires java.net.http;
  requires static org.jspecify;

  exports dev.syncguard.sync;
  exports dev.syncguard.sync.jvm;
}
