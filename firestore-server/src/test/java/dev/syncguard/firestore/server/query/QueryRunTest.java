package dev.syncguard.firestore.server.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As {@link QueryAgainstModelTest}, without a server around it: fewer documents, and done in a moment. */
class QueryRunTest {
  private static final DatabaseName NAME = new DatabaseName("demo", "(default)");
  private static final int QUERIES = 120;

  private final Database database = new Database(
      NAME,
      Journal.NONE,
      InstantSource.system(),
      IndexPolicy.EVERYTHING,
      Database.HistoryLimits.DEFAULT);
  private final Map<String, Document> model = new HashMap<>();

  @ParameterizedTest
  @CsvSource({"1, 30, 1", "2, 30, 9", "3, 30, 30", "4, 300, 3"})
  void aQueryFindsWhatTheModelFinds(long seed, int ids, int parents) {
    Random random = new Random(seed);
    RandomQueries queries = new RandomQueries(random, ids, parents);
    write(queries, ids, random);
    int found = 0;
    for (int i = 0; i < QUERIES; i++) {
      write(queries, 1 + random.nextInt(3), random);
      StructuredQuery query = queries.query(List.copyOf(model.values()));
      List<String> expected = new NaiveQuery(QueryDsl.ROOT, query).run(model.values());
      List<String> actual = database.read(snapshot -> {
        List<String> names = new ArrayList<>();
        new QueryRun(Query.of(ParentName.parse(QueryDsl.ROOT), query), snapshot)
            .forEachRemaining(document -> names.add(document.getName()));
        return names;
      });
      assertThat(actual)
          .as("seed " + seed + " query " + i + "\n" + query)
          .containsExactlyElementsOf(expected);
      found += actual.size();
    }
    assertThat(found).as("queries that find nothing prove nothing").isGreaterThan(QUERIES);
  }

  private void write(RandomQueries queries, int count, Random random) {
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
    var unused = database.commit(new WritePlanner(NAME).plan(writes), CommitGate.OPEN);
  }
}
