package dev.syncguard.firestore.server.store;

/** A commit that everybody sees but that need not have reached the disk. Nobody may be told of it before it has. */
public final class PendingCommit {
  private final CommitResult result;
  private final Journal.Receipt receipt;

  PendingCommit(CommitResult result, Journal.Receipt receipt) {
    this.result = result;
    this.receipt = receipt;
  }

  /** Waits until the commit is safe and returns what became of it, or throws if it cannot be made safe. */
  public CommitResult await() {
    receipt.await();
    return result;
  }
}
