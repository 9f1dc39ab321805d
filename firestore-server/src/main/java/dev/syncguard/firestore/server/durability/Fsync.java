package dev.syncguard.firestore.server.durability;

/** When a commit counts as safe. After {@code kill -9} of the server all of them keep every answered commit. */
public enum Fsync {
  /** When the disk has it: survives a power cut. */
  EVERY_COMMIT,
  /** When the operating system has it, which is told to bring it to disk about once a second. */
  EVERY_SECOND,
  /** When the operating system has it. */
  NEVER
}
