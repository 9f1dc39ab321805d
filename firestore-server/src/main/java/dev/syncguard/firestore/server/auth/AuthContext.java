package dev.syncguard.firestore.server.auth;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Who sends a request. */
public sealed interface AuthContext {
  /** The administrator: no rule applies. */
  record Owner() implements AuthContext {}

  /** Somebody who sent no credentials. */
  record Anonymous() implements AuthContext {}

  /** A signed-in user, with the claims of the token as they were sent; nobody has checked its signature. */
  record User(String uid, Map<String, Object> claims) implements AuthContext {
    public User {
      claims = Map.copyOf(claims);
    }

    /** Returns when the token says that it ends. */
    public Optional<Instant> expiry() {
      return claims.get("exp") instanceof Number seconds
          ? Optional.of(Instant.ofEpochSecond(seconds.longValue()))
          : Optional.empty();
    }

    @Override
    public String toString() {
      return "User[claims withheld]";
    }
  }
}
