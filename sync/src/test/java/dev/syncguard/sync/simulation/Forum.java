package dev.syncguard.sync.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.sync.Site;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The accounts of both forums, and whose node is whose. */
final class Forum {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Somebody's account at one forum. */
  record Account(Site site, String userId) {
    @Override
    public String toString() {
      return site.id() + "/" + userId;
    }
  }

  private final Map<Account, String> overrides = new HashMap<>();
  private final Map<Account, Set<String>> paths = new HashMap<>();
  private final Map<String, Account> owners = new HashMap<>();
  private final Set<String> secrets = new HashSet<>();
  private final Set<String> nodes = new HashSet<>();

  @Nullable
  String overrides(Account account) {
    return overrides.get(account);
  }

  /** Stores what somebody's script or the forum itself has put there. */
  void setOverrides(Account account, String json) {
    overrides.put(account, json);
    JsonNode secret = read(json).path("pr_sync_secret_v1");
    if (secret.isTextual()) {
      secrets.add(secret.asText());
      String node = node(account, secret.asText());
      String path = "pr_sync_v1/" + account.site().id() + "/nodes/" + node;
      nodes.add(node);
      owners.put(path, account);
      Set<String> known = paths.computeIfAbsent(account, unused -> new LinkedHashSet<>());
      known.remove(path);
      known.add(path);
    }
  }

  /** Forgets the secret, as the forum's own switches do when an old page writes its copy back. */
  void loseOverrides(Account account) {
    overrides.put(account, "{\"somethingElse\":1}");
  }

  /** Returns where the account's state is or was kept; where it is now comes last. */
  Set<String> paths(Account account) {
    return paths.getOrDefault(account, Set.of());
  }

  /**
   * Returns whether the account has had more than one secret, because one got lost or two devices made one at the same
   * time. Then parts of its state may stay behind at the old place, which the plan accepts.
   */
  boolean hasMoved(Account account) {
    return paths(account).size() > 1;
  }

  /** Returns whose state the path holds, or held. */
  @Nullable
  Account owner(String path) {
    return owners.get(path);
  }

  Set<String> secrets() {
    return secrets;
  }

  Set<String> nodes() {
    return nodes;
  }

  static JsonNode read(String json) {
    JsonNode read = tryRead(json);
    if (read == null) {
      throw new Violation("what is stored can be read", json);
    }
    return read;
  }

  /** Returns what the text says, or null if it is not JSON. */
  static @Nullable JsonNode tryRead(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  private static String node(Account account, String secret) {
    try {
      String input = String.join("|", "pr-sync-v1", account.site().id(), account.userId(), secret);
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(input.getBytes(StandardCharsets.UTF_8));
      return "pr_sync_" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
