package dev.syncguard.firestore.server.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the Authorization header the way the emulator does: tokens are believed, not verified. */
public final class BearerTokens {
  private static final String SCHEME = "bearer ";
  private static final int MAX_LENGTH = 64 * 1024;
  private static final ObjectMapper JSON = new ObjectMapper();

  private BearerTokens() {}

  /** Returns who the header says is asking. */
  public static AuthContext parse(@Nullable String header) {
    if (header == null || header.isBlank()) {
      return new AuthContext.Anonymous();
    }
    if (!header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      throw new FirestoreServerException(Code.UNKNOWN, "Only bearer tokens are understood.");
    }
    String token = header.substring(SCHEME.length()).trim();
    if (token.equalsIgnoreCase("owner") || token.startsWith("ya29.")) {
      return new AuthContext.Owner();
    }
    return user(token);
  }

  private static AuthContext user(String token) {
    String[] segments = token.split("\\.", -1);
    if (segments.length != 3 || token.length() > MAX_LENGTH) {
      throw invalid();
    }
    json(segments[0]);
    Map<String, Object> claims = json(segments[1]);
    Object uid = claims.getOrDefault("sub", claims.get("user_id"));
    return new AuthContext.User(uid == null ? "" : uid.toString(), claims);
  }

  private static Map<String, Object> json(String segment) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(segment), StandardCharsets.UTF_8);
      Map<?, ?> parsed = JSON.readValue(text, Map.class);
      Map<String, Object> claims = new HashMap<>();
      if (parsed == null) {
        throw invalid();
      }
      parsed.forEach((key, value) -> {
        if (value != null) {
          claims.put(String.valueOf(key), value);
        }
      });
      return claims;
    } catch (IllegalArgumentException | JsonProcessingException e) {
      throw new FirestoreServerException(Code.INVALID_ARGUMENT, "invalid jwt", e);
    }
  }

  private static FirestoreServerException invalid() {
    return FirestoreServerException.invalid("invalid jwt");
  }
}
