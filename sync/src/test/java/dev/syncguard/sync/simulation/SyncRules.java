package dev.syncguard.sync.simulation;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.auth.Access;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.rules.Rules;
import dev.syncguard.rules.RulesFile;
import dev.syncguard.rules.RulesRequest;
import dev.syncguard.rules.RulesValues;
import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.RulesLookup;
import dev.syncguard.rules.value.RulesValue.MapValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** The rules that we ship, in force. The server's own authorizer also counts coverage, which a story has no time for. */
final class SyncRules implements Authorizer {

  private static final Rules SHIPPED = compile(Path.of("firebase", "firestore.rules"));

  private static Rules compile(Path file) {
    try {
      return RulesFile.compile(Files.readString(file)).rules().orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void authorize(AuthContext who, Access what) {
    if (who instanceof AuthContext.Owner) {
      return;
    }
    if (what instanceof Access.Get get) {
      get.documents()
          .forEach(read ->
              decide(RulesRequest.get(read.name().path(), fields(read.document())), get.time()));
    } else if (what instanceof Access.Commit commit) {
      commit
          .writes()
          .forEach(write -> decide(
              RulesRequest.write(
                  write.name().path(), fields(write.before()), fields(write.after())),
              commit.time()));
    } else {
      throw Authorizer.denied();
    }
  }

  private static void decide(RulesRequest request, Instant time) {
    if (!SHIPPED
        .decide(request.at(time), LookupBudget.single(RulesLookup.EMPTY))
        .allowed()) {
      throw Authorizer.denied();
    }
  }

  private static Optional<MapValue> fields(Optional<Document> document) {
    return document.map(found -> RulesValues.ofFields(found.getFieldsMap()));
  }
}
