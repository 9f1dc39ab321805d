package dev.syncguard.firestore.server.auth;

import java.util.Map;

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

    @Override
    public String toString() {
      return "User[claims withheld]";
    }
  }
}
