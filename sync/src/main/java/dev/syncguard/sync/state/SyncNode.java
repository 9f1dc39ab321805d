package dev.syncguard.sync.state;

import dev.syncguard.sync.Site;
import dev.syncguard.sync.text.Sha256;

/** The name of the one document that holds a user's state: a capability, which only their secret leads to. */
public final class SyncNode {

  private static final String PREFIX = "pr_sync_";

  private SyncNode() {}

  /** Returns the node of a user on a site. */
  public static String derive(Site site, String userId, String secret) {
    return PREFIX + Sha256.hex("pr-sync-v1|" + site.id() + "|" + userId + "|" + secret);
  }

  /** Returns whether {@code name} could be a node. */
  public static boolean isValid(String name) {
    if (name.length() != PREFIX.length() + 64 || !name.startsWith(PREFIX)) {
      return false;
    }
    for (int i = PREFIX.length(); i < name.length(); i++) {
      char c = name.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  /** Returns the path of a node's document, and refuses what is no node. */
  public static String path(Site site, String node) {
    if (!isValid(node)) {
      throw new IllegalArgumentException("Not the name of a sync node");
    }
    return "pr_sync_v1/" + site.id() + "/nodes/" + node;
  }
}
