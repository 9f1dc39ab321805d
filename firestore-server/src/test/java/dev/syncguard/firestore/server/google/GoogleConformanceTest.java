package dev.syncguard.firestore.server.google;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.RunQueryRequest;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.operation.Databases.Served;
import dev.syncguard.firestore.server.operation.Operations;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.transaction.TransactionSettings;
import dev.syncguard.firestore.server.transaction.Transactions;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every commit and query that Google's conformance tests expect of a client is one that we understand. */
class GoogleConformanceTest {
  /** What depends on the documents that happen to be there. */
  private static final List<Code> STATE =
      List.of(Code.NOT_FOUND, Code.ALREADY_EXISTS, Code.FAILED_PRECONDITION);

  private final Operations operations = Operations.of(
      new Databases(name -> {
        Database database = new Database(
            name,
            Journal.NONE,
            InstantSource.system(),
            IndexPolicy.EVERYTHING,
            Database.HistoryLimits.DEFAULT);
        return new Served(
            database, new Transactions(database, TransactionSettings.DEFAULT, System::nanoTime, 1));
      }),
      Authorizer.open(),
      IndexCheck.NONE,
      new Random(1));

  @TestFactory
  List<DynamicTest> expectedRequestsAreAccepted() throws Exception {
    List<DynamicTest> tests = new ArrayList<>();
    for (GoogleConformance.Case test : GoogleConformance.all()) {
      addTests(test.file(), test.content(), tests);
    }
    assertThat(tests).hasSizeGreaterThan(100);
    return tests;
  }

  private void addTests(String name, JsonNode test, List<DynamicTest> tests) {
    for (JsonNode request : GoogleConformance.commits(test)) {
      tests.add(dynamicTest(name, () -> commit(request.toString())));
    }
    JsonNode query = test.path("query");
    if (query.path("query").isObject()) {
      tests.add(dynamicTest(name, () -> query(query)));
    }
  }

  private void commit(String json) throws IOException {
    CommitRequest.Builder request = CommitRequest.newBuilder();
    JsonFormat.parser().merge(json, request);
    try {
      operations.commits().commit(new AuthContext.Owner(), request.build());
    } catch (FirestoreServerException e) {
      assertThat(e.code()).as(String.valueOf(e.getMessage())).isIn(STATE);
    }
  }

  private void query(JsonNode query) throws IOException {
    String collection = query.path("collPath").asText();
    RunQueryRequest.Builder request = RunQueryRequest.newBuilder()
        .setParent(collection.substring(0, collection.lastIndexOf('/')));
    JsonFormat.parser().merge(query.path("query").toString(), request.getStructuredQueryBuilder());
    assertThat(
            operations.queries().run(new AuthContext.Owner(), request.build()).hasNext())
        .isTrue();
  }
}
