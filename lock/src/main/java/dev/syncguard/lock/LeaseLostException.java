package dev.syncguard.lock;

/** Says that a lease can no longer be relied upon, so the work that it protects must stop. */
public final class LeaseLostException extends LockException {

  private static final long serialVersionUID = 1L;

  LeaseLostException(String message) {
    super(Code.LEASE_LOST, message);
  }
}
