package dev.syncguard.lock;

/** Says that the backend below was closed. Nothing was sent, and nothing that was asked of it will ever be answered. */
public final class BackendClosedException extends LockException {

  private static final long serialVersionUID = 1L;

  /** Creates what a backend throws from the moment on at which it is closed. */
  public BackendClosedException() {
    super(Code.INTERNAL, "This backend was closed; open a new one");
  }
}
