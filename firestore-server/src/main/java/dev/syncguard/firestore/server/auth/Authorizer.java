package dev.syncguard.firestore.server.auth;

import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;

/** The one point that every request passes before it reads or changes anything. Thread-safe. */
@FunctionalInterface
public interface Authorizer {
  /** Returns if the access is allowed, else throws with PERMISSION_DENIED. */
  void authorize(AuthContext who, Access what);

  /** Returns whether it decides about this caller at once, on a thread that must not wait nor compute for long. */
  default boolean isPrompt(AuthContext who, DatabaseName database) {
    return false;
  }

  /** Returns an authorizer that always decides at once. */
  private static Authorizer prompt(Authorizer authorizer) {
    return new Authorizer() {
      @Override
      public void authorize(AuthContext who, Access what) {
        authorizer.authorize(who, what);
      }

      @Override
      public boolean isPrompt(AuthContext who, DatabaseName database) {
        return true;
      }
    };
  }

  /** Returns the authorizer that lets only the administrator in. */
  static Authorizer ownerOnly() {
    return prompt((who, what) -> {
      if (!(who instanceof AuthContext.Owner)) {
        throw denied();
      }
    });
  }

  /** Returns the authorizer that lets everybody read and write, and only the administrator administer. */
  static Authorizer open() {
    return prompt((who, what) -> {
      if (what instanceof Access.Administer administer && !(who instanceof AuthContext.Owner)) {
        throw administratorOnly(administer.action());
      }
    });
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
