package dev.syncguard.sync.simulation;

import dev.syncguard.firestore.server.auth.ActiveRules;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.auth.RulesAuthorizer;
import dev.syncguard.firestore.server.rules.Rules;
import dev.syncguard.firestore.server.rules.RulesFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The rules that we ship. */
final class SyncRules {

  private static final Rules SHIPPED = compile(Path.of("firebase", "firestore.rules"));

  private SyncRules() {}

  /** Returns the authorizer that lets them decide, and nobody in whom they do not know. */
  static Authorizer inForce() {
    ActiveRules rules = new ActiveRules();
    rules.replace(SHIPPED);
    return new RulesAuthorizer(rules, Authorizer.ownerOnly());
  }

  private static Rules compile(Path file) {
    try {
      return RulesFile.compile(Files.readString(file)).rules().orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
