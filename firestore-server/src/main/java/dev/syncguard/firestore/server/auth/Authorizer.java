package dev.syncguard.firestore.server.auth;

import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;

/** The one point that every request passes before it reads or changes anything. Thread-safe. */
@FunctionalInterface
public interface Authorizer {
  /** Returns if the access is allowed, else throws with PERMISSION_DENIED. */
  void authorize(AuthContext who, Access what);

  /** Returns the authorizer that lets only the administrator in. */
  static Authorizer ownerOnly() {
    return (who, what) -> {
      if (!(who instanceof AuthContext.Owner)) {
        throw denied();
      }
    };
  }

  /** Returns the authorizer that lets everybody read and write, and only the administrator administer. */
  static Authorizer open() {
    return (who, what) -> {
      if (what instanceof Access.Administer administer && !(who instanceof AuthContext.Owner)) {
        throw administratorOnly(administer.action());
      }
    };
  }

  /** Returns the answer to somebody who wants to do what only the administrator may. */
  static FirestoreServerException administratorOnly(String action) {
    return new FirestoreServerException(
        Code.PERMISSION_DENIED, action + " require admin authentication.");
  }

  /** Returns the answer to somebody who may not do that. */
  static FirestoreServerException denied() {
    return new FirestoreServerException(
        Code.PERMISSION_DENIED, "Missing or insufficient permissions.");
  }
}
