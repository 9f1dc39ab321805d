import dev.syncguard.rules.Rules;
import dev.syncguard.rules.RulesAuth;
import dev.syncguard.rules.RulesFile;
import dev.syncguard.rules.RulesRequest;
import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.RulesLookup;
import dev.syncguard.rules.report.Coverage;
import dev.syncguard.rules.report.CoverageJson;
import java.util.Optional;

/** Decides two requests without a server, and writes the report, which needs all that the module depends on. */
final class Main {
  private static final String SOURCE = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /users/{user} {
            allow read: if request.auth.uid == user && user.matches('a.*');
          }
        }
      }
      """;

  public static void main(String[] args) {
    Rules rules = RulesFile.compile(SOURCE).rules().orElseThrow();
    RulesRequest request = RulesRequest.get("users/ann", Optional.empty());
    Coverage coverage = new Coverage(rules.source());
    boolean ann = allowed(rules, request.by(Optional.of(RulesAuth.of("ann"))), coverage);
    boolean bob = allowed(rules, request.by(Optional.of(RulesAuth.of("bob"))), coverage);
    boolean reported = CoverageJson.of(coverage).contains("firestore.rules");
    System.out.println(ann && !bob && reported ? "works" : "ann: " + ann + ", bob: " + bob);
  }

  private static boolean allowed(Rules rules, RulesRequest request, Coverage coverage) {
    return rules.decide(request, LookupBudget.single(RulesLookup.EMPTY), coverage).allowed();
  }
}
