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
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.rules.Rules;
import dev.syncguard.firestore.server.rules.RulesFile;
import dev.syncguard.firestore.server.rules.RulesRequest;
import dev.syncguard.firestore.server.rules.RulesValues;
import dev.syncguard.firestore.server.rules.evaluation.LookupBudget;
import dev.syncguard.firestore.server.rules.evaluation.RulesLookup;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
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
        commits(setting),
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

  /** Commits over the wire, to a server with the rules and to one that lets everybody in. */
  private static Section commits(Setting setting) throws Exception {
    try (EnvelopeCommits open =
            new EnvelopeCommits(server().authorizer(Authorizer.open()).start());
        EnvelopeCommits guarded = new EnvelopeCommits(server()
            .rules(setting.launcher().resolveSibling("sync/firebase/firestore.rules"))
            .start())) {
      Map<String, Callable<Double>> participants = new LinkedHashMap<>();
      participants.put(OPEN, timed(setting, setting.pace().warmUp() / 20, open::commit));
      participants.put(GUARDED, timed(setting, setting.pace().warmUp() / 20, guarded::commit));
      Series<Double> millis = setting.rounds().run("Commits of full envelopes", participants);
      Quartiles added = millis.difference(GUARDED, OPEN, value -> value);
      List<List<String>> rows = new ArrayList<>();
      millis
          .names()
          .forEach(name -> rows.add(List.of(name, Numbers.with(millis.of(name, value -> value)))));
      rows.add(List.of("what the rules add", Numbers.with(added)));
      return new Section(
          "A commit",
          "Milliseconds for one commit of a full envelope over REST, about a megabyte of JSON, by a client without a"
              + " token to the embedded Firestore. One server has the rules, and counts what every expression came"
              + " to; the other lets everybody in. The difference is taken inside each round.",
          List.of("", "ms"),
          rows,
          List.of(new Goal("milliseconds that the rules add to a commit", added, TARGET)),
          List.of(new Panel(
              "Milliseconds for one commit",
              millis.names().stream()
                  .map(name -> new Bar(name, millis.of(name, value -> value), name.equals(GUARDED)))
                  .toList(),
              Optional.empty())));
    }
  }

  private static FirestoreServerBuilder server() {
    return FirestoreServer.builder().time(InstantSource.fixed(Envelope.NOW));
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
    return timed(setting, setting.pace().warmUp(), call);
  }

  private static Callable<Double> timed(Setting setting, int warmUp, Callable<Boolean> call)
      throws Exception {
    for (int i = 0; i < warmUp; i++) {
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
