package dev.syncguard.sync.remote;

import dev.syncguard.sync.text.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The body of a commit: always exactly one conditional update of one document. */
public final class CommitBody {

  private CommitBody() {}

  /**
   * Returns the body that writes {@code encodedFields} to the document {@code name}.
   *
   * @param mask the paths to write, or null to write the whole document
   * @param token the update time of the version to replace, byte for byte, or null if there must be no document yet
   */
  static String of(
      String name, String encodedFields, @Nullable List<String> mask, @Nullable String token) {
    // In one order, everywhere and always, so that the same commit has the same bytes.
    Map<String, Object> update = new LinkedHashMap<>();
    update.put("name", name);
    update.put("fields", new Json.Raw(encodedFields));
    Map<String, Object> write = new LinkedHashMap<>();
    write.put("update", update);
    if (mask != null) {
      write.put("updateMask", Map.of("fieldPaths", mask));
    }
    write.put(
        "currentDocument", token == null ? Map.of("exists", false) : Map.of("updateTime", token));
    Map<String, Object> body = Map.of("writes", List.of(write));
    guard(body);
    return Json.write(body);
  }

  /** Refuses every commit that could overwrite blindly, delete, or touch more than one document. */
  public static void guard(Map<String, Object> body) {
    boolean fine = body.keySet().equals(Set.of("writes"))
        && body.get("writes") instanceof List<?> writes
        && writes.size() == 1
        && isConditionalUpdate(Json.object(writes.get(0)));
    if (!fine) {
      throw new IllegalStateException("A commit must be exactly one update with a precondition");
    }
  }

  private static boolean isConditionalUpdate(@Nullable Map<String, Object> write) {
    if (write == null
        || !Set.of("update", "updateMask", "currentDocument").containsAll(write.keySet())) {
      return false;
    }
    Map<String, Object> condition = Json.object(write.get("currentDocument"));
    if (condition == null || condition.size() != 1 || Json.object(write.get("update")) == null) {
      return false;
    }
    if (write.containsKey("updateMask") && condition.get("updateTime") == null) {
      return false;
    }
    boolean replaces = condition.get("updateTime") instanceof String token && !token.isEmpty();
    return replaces || Boolean.FALSE.equals(condition.get("exists"));
  }
}
