package dev.syncguard.sync.engine;

import dev.syncguard.sync.ForumIdentity;
import dev.syncguard.sync.text.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The random text in a user's profile that leads to their node, as one answer of the forum shows it. */
public sealed interface SyncSecret {

  /** The member of {@code abTestOverrides} that holds it. */
  String KEY = "pr_sync_secret_v1";

  /** There is one. */
  record Present(String value) implements SyncSecret {
    @Override
    public String toString() {
      return "Present";
    }
  }

  /** There is none, and one may be added. */
  record Absent() implements SyncSecret {}

  /** There is something else in its place, which is not ours to overwrite. */
  record Spoiled() implements SyncSecret {}

  /** Returns the secret of {@code user}. */
  static SyncSecret of(ForumIdentity.User user) {
    if (user.overrides() == null) {
      return new Absent();
    }
    Map<String, Object> overrides = Json.parseObject(user.overrides());
    if (overrides == null) {
      return new Spoiled();
    }
    Object value = overrides.get(KEY);
    if (value == null) {
      return new Absent();
    }
    boolean good = value instanceof String text && text.length() >= 16 && !text.equals(user.id());
    return good ? new Present((String) value) : new Spoiled();
  }

  /** Returns the overrides with the secret added and everything else as it was. */
  static String add(@Nullable String overrides, String secret) {
    Map<String, Object> known = overrides == null ? null : Json.parseObject(overrides);
    Map<String, Object> merged = known == null ? new LinkedHashMap<>() : new LinkedHashMap<>(known);
    merged.put(KEY, secret);
    return Json.write(merged);
  }
}
