package dev.syncguard.firestore.server.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.StructuredQuery.CompositeFilter;
import com.google.firestore.v1.StructuredQuery.Direction;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.FieldReference;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.protobuf.Int32Value;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever path through the indexes the planner takes, and whatever time is asked for, a query finds exactly what a look
 * at every document finds, in the same order. A failure names its seed; to replay it, put that seed alone into the list.
 */
class QueryAgainstScanTest {
  private static final DatabaseName DATABASE = new DatabaseName("p", "d");
  private static final ParentName ROOT = new ParentName(DATABASE, "");
  private static final List<String> FIELDS = List.of("a", "b", "m.x", "t");
  private static final List<FieldFilter.Operator> OPERATORS = List.of(
      FieldFilter.Operator.EQUAL,
      FieldFilter.Operator.LESS_THAN,
      FieldFilter.Operator.GREATER_THAN_OR_EQUAL,
      FieldFilter.Operator.NOT_EQUAL,
      FieldFilter.Operator.IN,
      FieldFilter.Operator.NOT_IN,
      FieldFilter.Operator.ARRAY_CONTAINS,
      FieldFilter.Operator.ARRAY_CONTAINS_ANY);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theIndexesFindWhatAScanFinds(long seed) {
    Random random = new Random(seed);
    Database database = new Database(
        DATABASE,
        Journal.NONE,
        InstantSource.system(),
        IndexPolicy.EVERYTHING,
        Database.HistoryLimits.DEFAULT);
    TreeMap<Long, Map<String, Document>> history = new TreeMap<>();
    Map<String, Document> model = new TreeMap<>();
    int found = 0;
    for (int step = 0; step < 400; step++) {
      String name = ROOT + (random.nextInt(4) == 0 ? "/c/p/c/" : "/c/") + "d" + random.nextInt(40);
      Write write = random.nextInt(6) == 0
          ? Write.newBuilder().setDelete(name).build()
          : Write.newBuilder()
              .setUpdate(Document.newBuilder().setName(name).putAllFields(fields(random)))
              .build();
      long micros = database
          .commit(new WritePlanner(DATABASE).plan(List.of(write)), CommitGate.OPEN)
          .micros();
      Document stored = database.read(snapshot -> snapshot.get(DocumentName.parse(name)));
      if (stored == null) {
        model.remove(name);
      } else {
        model.put(name, stored);
      }
      history.put(micros, Map.copyOf(model));
      if (step % 4 == 3) {
        Query query = Query.of(ROOT, query(random, model));
        List<Long> times = List.copyOf(history.keySet());
        long past = times.get(random.nextInt(times.size()));
        found +=
            check(database, OptionalLong.empty(), query, model, "seed " + seed + " step " + step);
        check(
            database,
            OptionalLong.of(past),
            query,
            Objects.requireNonNull(history.get(past)),
            "seed " + seed + " step " + step + " past");
      }
    }
    assertThat(found).as("queries that find nothing prove nothing").isPositive();
  }

  private static int check(
      Database database,
      OptionalLong time,
      Query query,
      Map<String, Document> model,
      String where) {
    List<Document> expected =
        new ArrayList<>(model.values().stream().filter(query::matches).toList());
    expected.sort(query.order());
    int from = Math.min(query.offset(), expected.size());
    int to = query.limit() < 0 ? expected.size() : Math.min(from + query.limit(), expected.size());
    List<Document> actual =
        database.read(time, (Snapshot snapshot) -> QueryRun.run(query, snapshot).documents());
    assertThat(actual.stream().map(Document::getName))
        .as(where + " " + query)
        .containsExactlyElementsOf(
            expected.subList(from, to).stream().map(Document::getName).toList());
    return actual.size();
  }

  private static Map<String, Value> fields(Random random) {
    Map<String, Value> fields = new TreeMap<>();
    for (String field : List.of("a", "b")) {
      if (random.nextInt(5) > 0) {
        fields.put(field, value(random));
      }
    }
    if (random.nextBoolean()) {
      fields.put("m", Values.map(Map.of("x", value(random))));
    }
    if (random.nextBoolean()) {
      fields.put("t", Values.array(value(random), value(random)));
    }
    return fields;
  }

  private static Value value(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> Values.nothing();
      case 1 -> Values.of(random.nextBoolean());
      case 2 -> Values.of(random.nextInt(3) + 0.5);
      case 3 -> Values.of(Double.NaN);
      case 4 -> Values.of(List.of("x", "y", "\uD83D\uDE00").get(random.nextInt(3)));
      default -> Values.of((long) random.nextInt(4));
    };
  }

  private static StructuredQuery query(Random random, Map<String, Document> model) {
    StructuredQuery.Builder query = StructuredQuery.newBuilder()
        .addFrom(CollectionSelector.newBuilder()
            .setCollectionId("c")
            .setAllDescendants(random.nextInt(3) == 0));
    int tests = random.nextInt(3);
    if (tests > 0) {
      CompositeFilter.Builder all = CompositeFilter.newBuilder()
          .setOp(
              random.nextInt(3) == 0 ? CompositeFilter.Operator.OR : CompositeFilter.Operator.AND);
      for (int i = 0; i < tests; i++) {
        all.addFilters(StructuredQuery.Filter.newBuilder().setFieldFilter(filter(random)));
      }
      query.setWhere(StructuredQuery.Filter.newBuilder().setCompositeFilter(all));
    }
    if (random.nextBoolean()) {
      query.addOrderBy(StructuredQuery.Order.newBuilder()
          .setField(field(random))
          .setDirection(random.nextBoolean() ? Direction.ASCENDING : Direction.DESCENDING));
      if (random.nextBoolean()) {
        query.setStartAt(
            Cursor.newBuilder().addValues(value(random)).setBefore(random.nextBoolean()));
      }
      if (random.nextInt(3) == 0) {
        query.setEndAt(
            Cursor.newBuilder().addValues(value(random)).setBefore(random.nextBoolean()));
      }
    }
    if (random.nextInt(3) == 0 && !model.isEmpty()) {
      startAtDocument(query, List.copyOf(model.values()).get(random.nextInt(model.size())), random);
    }
    if (random.nextInt(3) == 0) {
      query.setLimit(Int32Value.of(random.nextInt(6)));
      query.setOffset(random.nextInt(3));
    }
    return query.build();
  }

  /** The cursor that clients make of a document: its value for every order, and its name. */
  private static void startAtDocument(
      StructuredQuery.Builder query, Document document, Random random) {
    Query complete = Query.of(ROOT, query.clone().clearStartAt().clearEndAt().build());
    if (complete.orderings().stream()
        .allMatch(ordering -> DocumentOrder.value(document, ordering.field()) != null)) {
      query.setStartAt(Cursor.newBuilder()
          .addAllValues(complete.positionAfter(document))
          .setBefore(random.nextBoolean()));
    }
  }

  private static FieldFilter filter(Random random) {
    FieldFilter.Operator operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
    boolean list = operator == FieldFilter.Operator.IN
        || operator == FieldFilter.Operator.NOT_IN
        || operator == FieldFilter.Operator.ARRAY_CONTAINS_ANY;
    return FieldFilter.newBuilder()
        .setField(field(random))
        .setOp(operator)
        .setValue(list ? Values.array(value(random), value(random)) : value(random))
        .build();
  }

  private static FieldReference field(Random random) {
    return FieldReference.newBuilder()
        .setFieldPath(FIELDS.get(random.nextInt(FIELDS.size())))
        .build();
  }
}
