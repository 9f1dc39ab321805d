package dev.syncguard.benchmarks.rules;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Series;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.firestore.server.auth.ActiveRules;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.auth.RulesAuthorizer;
import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.index.IndexFile;
import dev.syncguard.rules.Rules;
import dev.syncguard.rules.RulesFile;
import dev.syncguard.rules.RulesRequest;
import dev.syncguard.rules.RulesValues;
import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.RulesLookup;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** What it costs to decide a write by the rules of the sync product. */
public final class RulesTopic implements Topic {

  private static final String NODE = "pr_sync_v1/lw/nodes/pr_sync_" + "0123456789abcdef".repeat(4);
  private static final String FULL = "a full envelope";
  private static final String SMALL = "an empty envelope";
  private static final String WIRE = "to read a full envelope from the wire";
  private static final String OPEN = "without rules";
  private static final String GUARDED = "with the rules of the sync product";
  private static final Target TARGET = Target.below(5);

  @Override
  public String name() {
    return "rules";
  }

  @Override
  public String title() {
    return "Security rules";
  }

  @Override
  public List<Section> measure(Setting setting) throws Exception {
    Rules rules = RulesFile.compile(
            Files.readString(setting.launcher().resolveSibling("sync/firebase/firestore.rules")))
        .rules()
        .orElseThrow();
    Map<String, Value> full = Envelope.of(10_000, 1_000);
    byte[] wire = Document.newBuilder().putAllFields(full).build().toByteArray();
    Map<String, Callable<Double>> participants = new LinkedHashMap<>();
    participants.put(FULL, timed(setting, () -> decide(rules, full)));
    Map<String, Value> empty = Envelope.of(0, 0);
    participants.put(SMALL, timed(setting, () -> decide(rules, empty)));
    participants.put(WIRE, timed(setting, () -> Document.parseFrom(wire).getFieldsCount() > 0));
    Series<Double> millis = setting.rounds().run("Security rules", participants);
    Quartiles cost = millis.of(FULL, value -> value);
    return List.of(
        commits(setting, rules),
        new LoadedRules(setting).measure(OPEN, GUARDED),
        new Section(
            "Deciding one write",
            "Milliseconds for the decision about one update by the rules that are deployed with the sync product, with"
                + " 10,000 read marks and 1,000 preferences of authors; what a commit takes longer because of the"
                + " rules, measured without the server around it. The last row is for comparison: reading the same"
                + " document from the bytes of a request, which every commit does anyway.",
            List.of("", "ms", "× " + WIRE),
            millis.names().stream()
                .map(name -> List.of(
                    name,
                    Numbers.with(millis.of(name, value -> value)),
                    Numbers.with(millis.ratio(name, WIRE, value -> value))))
                .toList(),
            List.of(new Goal("milliseconds for a full envelope", cost, TARGET)),
            List.of(new Panel(
                "Milliseconds for one decision",
                millis.names().stream()
                    .map(name -> new Bar(name, millis.of(name, value -> value), !name.equals(WIRE)))
                    .toList(),
                Optional.of(TARGET)))));
  }

  /** Commits to two databases of this process, one with the rules and one that lets everybody in. */
  private static Section commits(Setting setting, Rules rules) throws Exception {
    IndexConfiguration indexes = IndexFile.parse(Files.readString(
        setting.launcher().resolveSibling("sync/firebase/firestore.indexes.json")));
    ActiveRules active = new ActiveRules();
    active.replace(rules);
    CommitPairs pairs = new CommitPairs(
        new EnvelopeCommits(Authorizer.open(), indexes),
        new EnvelopeCommits(new RulesAuthorizer(active, Authorizer.ownerOnly()), indexes),
        setting.pace().slice().toNanos());
    for (int i = 0; i < setting.pace().warmUp() / 20; i++) {
      pairs.call();
    }
    Series<CommitPairs.Millis> millis =
        setting.rounds().run("Commits of full envelopes", Map.of("commits", pairs));
    Quartiles open = millis.of("commits", CommitPairs.Millis::open);
    Quartiles guarded = millis.of("commits", CommitPairs.Millis::guarded);
    Quartiles added = millis.of("commits", CommitPairs.Millis::added);
    return new Section(
        "A commit",
        "Milliseconds for one commit of a full envelope by a client without a token, from the request as the network"
            + " hands it over to the stored document, with the indexes of the sync product. With the rules, the server"
            + " also counts what every expression came to. Commits come in pairs, one of each kind; what the rules add"
            + " is the difference inside a pair.",
        List.of("", "ms"),
        List.of(
            List.of(OPEN, Numbers.with(open)),
            List.of(GUARDED, Numbers.with(guarded)),
            List.of("what the rules add", Numbers.with(added))),
        List.of(new Goal("milliseconds that the rules add to a commit", added, TARGET)),
        List.of(new Panel(
            "Milliseconds for one commit",
            List.of(new Bar(OPEN, open, false), new Bar(GUARDED, guarded, true)),
            Optional.empty())));
  }

  private static boolean decide(Rules rules, Map<String, Value> fields) {
    var data = Optional.of(RulesValues.ofFields(fields));
    return rules
        .decide(
            RulesRequest.write(NODE, data, data).at(Envelope.NOW),
            LookupBudget.single(RulesLookup.EMPTY))
        .allowed();
  }

  /** Returns the milliseconds that one call takes, over a slice of calls. */
  private static Callable<Double> timed(Setting setting, Callable<Boolean> call) throws Exception {
    for (int i = 0; i < setting.pace().warmUp(); i++) {
      check(call.call());
    }
    return () -> {
      long start = System.nanoTime();
      long end = start + setting.pace().slice().toNanos();
      int calls = 0;
      long now;
      do {
        check(call.call());
        calls++;
        now = System.nanoTime();
      } while (now < end);
      return (now - start) / 1e6 / calls;
    };
  }

  private static void check(boolean allowed) {
    if (!allowed) {
      throw new IllegalStateException("The envelope should be allowed");
    }
  }
}
