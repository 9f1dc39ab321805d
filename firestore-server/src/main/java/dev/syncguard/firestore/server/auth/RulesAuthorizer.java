package dev.syncguard.firestore.server.auth;

import com.google.firestore.v1.Document;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.rules.Decision;
import dev.syncguard.rules.Rules;
import dev.syncguard.rules.RulesAuth;
import dev.syncguard.rules.RulesRequest;
import dev.syncguard.rules.RulesValues;
import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.RulesLookup;
import dev.syncguard.rules.report.RulesExplanation;
import dev.syncguard.rules.value.RulesValue.MapValue;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Lets the security rules of the project decide. The administrator may do everything; where there are no rules, another
 * authorizer decides. Thread-safe.
 */
public final class RulesAuthorizer implements Authorizer {
  private final ActiveRules rules;
  private final Authorizer withoutRules;
  private final Denials denials;

  /** Hears of requests that the rules deny. */
  public interface Denials {
    /**
     * Says that something was denied.
     *
     * @param explanation works out why, while it is being called
     */
    void denied(Rules rules, Supplier<RulesExplanation> explanation);
  }

  /** Creates an authorizer that tells nobody of denials. */
  public RulesAuthorizer(ActiveRules rules, Authorizer withoutRules) {
    this(rules, withoutRules, (denying, explanation) -> {});
  }

  /** Creates an authorizer that decides by the active rules, or by {@code withoutRules} while there are none. */
  public RulesAuthorizer(ActiveRules rules, Authorizer withoutRules, Denials denials) {
    this.rules = rules;
    this.withoutRules = withoutRules;
    this.denials = denials;
  }

  @Override
  public void authorize(AuthContext who, Access what) {
    Optional<ActiveRules.Loaded> loaded = rules.of(what.database());
    if (loaded.isEmpty()) {
      withoutRules.authorize(who, what);
    } else if (!(who instanceof AuthContext.Owner)) {
      new Judgement(loaded.get(), what.database(), auth(who), denials).judge(what);
    }
  }

  /** Rules may take long; the administrator passes by them. */
  @Override
  public boolean isPrompt(AuthContext who, DatabaseName database) {
    return rules.of(database).isPresent()
        ? who instanceof AuthContext.Owner
        : withoutRules.isPrompt(who, database);
  }

  private static Optional<RulesAuth> auth(AuthContext who) {
    return who instanceof AuthContext.User user
        ? Optional.of(new RulesAuth(user.uid(), (MapValue) RulesValues.ofJson(user.claims())))
        : Optional.empty();
  }

  /** The judgement of one request. */
  private record Judgement(
      ActiveRules.Loaded loaded, DatabaseName database, Optional<RulesAuth> auth, Denials denials) {

    void judge(Access what) {
      if (what instanceof Access.Get get) {
        LookupBudget lookups = budget(get.documents().size(), get.present(), get.present());
        get.documents().forEach(read -> decide(read(read), get.time(), lookups));
      } else if (what instanceof Access.Find find) {
        LookupBudget lookups = budget(1, find.present(), find.present());
        decide(
            RulesRequest.list(RulesQueries.of(find.parent(), find.query())), find.time(), lookups);
      } else if (what instanceof Access.Commit commit) {
        LookupBudget lookups = budget(commit.writes().size(), commit.before(), commit.after());
        commit.writes().forEach(write -> decide(write(write), commit.time(), lookups));
      } else if (what instanceof Access.Administer administer) {
        throw Authorizer.administratorOnly(administer.action());
      } else {
        throw Authorizer.administratorOnly("Reads at an earlier time");
      }
    }

    private void decide(RulesRequest request, Instant time, LookupBudget lookups) {
      RulesRequest whole = request.in(database.database()).by(auth).at(time);
      Decision decision = loaded.rules().decide(whole, lookups, loaded.coverage());
      if (!decision.allowed()) {
        denials.denied(
            loaded.rules(), () -> RulesExplanation.of(loaded.rules(), whole, lookups.again()));
        throw new FirestoreServerException(Code.PERMISSION_DENIED, decision.message());
      }
    }

    private static RulesRequest read(Access.Read read) {
      return RulesRequest.get(read.name().path(), fields(read.document()));
    }

    /** A write that only demands a state tells whoever sends it something, as reading the document would. */
    private static RulesRequest write(Access.Write write) {
      Optional<MapValue> before = fields(write.before());
      return write.changes()
          ? RulesRequest.write(write.name().path(), before, fields(write.after()))
          : RulesRequest.get(write.name().path(), before);
    }

    private LookupBudget budget(int documents, Lookup before, Lookup after) {
      RulesLookup lookup = new RulesLookup() {
        @Override
        public Optional<MapValue> before(String path) {
          return fields(before.find(new DocumentName(database, path)));
        }

        @Override
        public Optional<MapValue> after(String path) {
          return fields(after.find(new DocumentName(database, path)));
        }
      };
      return documents == 1 ? LookupBudget.single(lookup) : LookupBudget.several(lookup);
    }

    private static Optional<MapValue> fields(Optional<Document> document) {
      return document.map(found -> RulesValues.ofFields(found.getFieldsMap()));
    }
  }
}
