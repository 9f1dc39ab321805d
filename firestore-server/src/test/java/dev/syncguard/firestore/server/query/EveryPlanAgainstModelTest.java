package dev.syncguard.firestore.server.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.query.AccessPath.Kind;
import dev.syncguard.firestore.server.query.AccessPath.Sorting;
import dev.syncguard.firestore.server.query.Planner.Plan;
import dev.syncguard.firestore.server.query.Planner.Reason;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random queries reach every plan that the planner can make, each many times, and find what the model finds. A plan that the
 * planner gets and nothing here reaches is a failure, and so is one that is reached and not listed.
 */
@Tag("slow")
class EveryPlanAgainstModelTest {
  private static final DatabaseName NAME = new DatabaseName("demo", "(default)");
  private static final ParentName ROOT = ParentName.parse(QueryDsl.ROOT);
  private static final int SEEDS = 4;
  private static final int QUERIES = 150;
  private static final int LEAST = 3;

  /** All plans: why, what is scanned, and how much of the order that gives. */
  private static final List<String> PLANS = List.of(
      plan(Reason.ONLY, Kind.NAMES, Sorting.WHOLE),
      plan(Reason.ONLY, Kind.NAMES, Sorting.NONE),
      plan(Reason.SHORT, Kind.COMPOSITE, Sorting.WHOLE),
      plan(Reason.SHORT, Kind.EQUALITY, Sorting.WHOLE),
      plan(Reason.SHORT, Kind.EQUALITY, Sorting.NONE),
      plan(Reason.SHORT, Kind.ELEMENT, Sorting.WHOLE),
      plan(Reason.SHORT, Kind.ELEMENT, Sorting.NONE),
      plan(Reason.SHORT, Kind.RANGE, Sorting.WHOLE),
      plan(Reason.SHORT, Kind.RANGE, Sorting.FIRST_FIELD),
      plan(Reason.SHORT, Kind.RANGE, Sorting.NONE),
      plan(Reason.SHORT, Kind.NAMES, Sorting.WHOLE),
      plan(Reason.SHORT, Kind.NAMES, Sorting.NONE),
      plan(Reason.ORDERED, Kind.COMPOSITE, Sorting.WHOLE),
      plan(Reason.ORDERED, Kind.EQUALITY, Sorting.WHOLE),
      plan(Reason.ORDERED, Kind.ELEMENT, Sorting.WHOLE),
      // Names alone are never chosen for their order: whatever stands beside them is in it, too.
      plan(Reason.ORDERED, Kind.RANGE, Sorting.WHOLE),
      plan(Reason.SHORTEST, Kind.EQUALITY, Sorting.NONE),
      plan(Reason.SHORTEST, Kind.ELEMENT, Sorting.NONE),
      plan(Reason.SHORTEST, Kind.RANGE, Sorting.FIRST_FIELD),
      plan(Reason.SHORTEST, Kind.RANGE, Sorting.NONE),
      plan(Reason.SHORTEST, Kind.NAMES, Sorting.NONE));

  private record Moment(long micros, Map<String, Document> documents) {}

  private final Map<String, Integer> taken = new TreeMap<>();

  private static String plan(Reason reason, Kind kind, Sorting sorting) {
    return reason + " " + kind + " " + sorting;
  }

  @Test
  void everyPlanIsTakenAndFindsWhatTheModelFinds() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      // In small collections everything is short; in large ones nothing is.
      run(seed, seed % 2 == 0 ? 60 : 1_500, seed % 4 < 2 ? 1 : 30);
    }
    assertThat(taken.keySet()).containsExactlyInAnyOrderElementsOf(PLANS);
    assertThat(taken)
        .allSatisfy((plan, times) ->
            assertThat(times).as("%s, of all: %s", plan, taken).isGreaterThanOrEqualTo(LEAST));
  }

  private void run(long seed, int ids, int parents) {
    Random random = new Random(seed);
    RandomQueries queries = new RandomQueries(random, ids, parents);
    Database database = new Database(
        NAME,
        Journal.NONE,
        InstantSource.system(),
        QueryAgainstModelTest.indexes(),
        Database.HistoryLimits.DEFAULT);
    Map<String, Document> model = new HashMap<>();
    List<Moment> history = new ArrayList<>();
    for (int written = 0; written < 2 * ids; written += 250) {
      history.add(write(database, model, queries, 250, random));
    }
    for (int i = 0; i < QUERIES; i++) {
      history.add(write(database, model, queries, 1 + random.nextInt(3), random));
      StructuredQuery query = queries.query(List.copyOf(model.values()));
      String where = "seed " + seed + " query " + i + "\n" + query;
      check(database, OptionalLong.empty(), query, model, where);
      Moment past = history.get(random.nextInt(history.size()));
      check(
          database, OptionalLong.of(past.micros()), query, past.documents(), where + "in the past");
    }
  }

  private void check(
      Database database,
      OptionalLong micros,
      StructuredQuery query,
      Map<String, Document> model,
      String where) {
    List<String> names = database.read(micros, snapshot -> {
      List<String> found = new ArrayList<>();
      new QueryRun(Query.of(ROOT, query), snapshot, this::count)
          .forEachRemaining(document -> found.add(document.getName()));
      return found;
    });
    assertThat(names)
        .as(where)
        .containsExactlyElementsOf(new NaiveQuery(QueryDsl.ROOT, query).run(model.values()));
  }

  private void count(Plan plan) {
    taken.merge(plan(plan.reason(), plan.path().kind(), plan.path().sorting()), 1, Integer::sum);
  }

  private static Moment write(
      Database database,
      Map<String, Document> model,
      RandomQueries queries,
      int count,
      Random random) {
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = QueryDsl.ROOT + "/" + queries.path();
      if (random.nextInt(8) == 0) {
        writes.add(Write.newBuilder().setDelete(name).build());
        model.remove(name);
      } else {
        Document document =
            Document.newBuilder().setName(name).putAllFields(queries.fields()).build();
        writes.add(Write.newBuilder().setUpdate(document).build());
        model.put(name, document);
      }
    }
    return new Moment(
        database.commit(new WritePlanner(NAME).plan(writes), CommitGate.OPEN).micros(),
        Map.copyOf(model));
  }
}
