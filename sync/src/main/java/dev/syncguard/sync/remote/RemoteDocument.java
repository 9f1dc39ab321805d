package dev.syncguard.sync.remote;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a read found at a node. */
public sealed interface RemoteDocument {

  /** Something is there or nothing is; either way a write can name what it replaces. */
  sealed interface Known extends RemoteDocument {

    /** Returns the update time to write against, or null if there is no document. */
    @Nullable
    String token();
  }

  /** A good envelope. */
  record Found(Envelope envelope, String token, int dropped) implements Known {
    @Override
    public String toString() {
      return "Found";
    }
  }

  /** No document, which is how every user starts. */
  record Missing() implements Known {
    @Override
    public @Nullable String token() {
      return null;
    }
  }

  /**
   * A document that we cannot merge with.
   *
   * @param newer whether a newer version of this program wrote it; otherwise it is broken
   * @param fields what it holds, for a reset that must not fall behind its epochs
   */
  record Unusable(boolean newer, String reason, Map<String, Object> fields, String token)
      implements Known {
    @Override
    public String toString() {
      return "Unusable[" + reason + "]";
    }
  }

  /** No answer to work with. */
  record Failed(SyncFailure failure) implements RemoteDocument {}
}
