package dev.syncguard.firestore.server.auth;

import static dev.syncguard.firestore.server.auth.RestClient.NAME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.FirestoreServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every way to read or write passes the rules. */
class GuardedRequestsTest {
  private static final String RULES = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /news/{id} {
            allow get;
            allow list: if request.query.limit <= 10;
          }
          match /notes/{id} {
            allow read, delete: if resource.data.owner == request.auth.uid;
            allow create: if request.resource.data.owner == request.auth.uid;
            allow update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['text']);
          }
          match /stamps/{id} {
            allow create: if request.resource.data.at == request.time;
            allow update: if request.resource.data.n == resource.data.n + 1;
          }
          match /reports/{id} {
            allow read: if request.auth.token.role == 'boss' && request.auth.token.level >= 3;
          }
          match /orders/{id} {
            allow create: if existsAfter(/databases/$(database)/documents/receipts/$(id))
                && !exists(/databases/$(database)/documents/receipts/$(id));
          }
          match /receipts/{id} {
            allow create: if getAfter(/databases/$(database)/documents/orders/$(id)).data.total
                == request.resource.data.total;
          }
          match /dear/{id} {
            allow get: if exists(/databases/$(database)/documents/news/$(id));
          }
        }
      }
      """;
  private static final String ANN = "'owner':{'stringValue':'ann'}";
  private static final String ANNS =
      "'where':{'fieldFilter':{'field':{'fieldPath':'owner'},'op':'EQUAL','value':{'stringValue':'ann'}}}";
  private static final String FROM_NOTES = "'from':[{'collectionId':'notes'}]";

  private static FirestoreServer server;
  private static RestClient owner;
  private static RestClient nobody;
  private static RestClient ann;

  @BeforeAll
  static void start() {
    server = FirestoreServer.builder().rules(RULES).start();
    owner = RestClient.owner(server);
    nobody = RestClient.nobody(server);
    ann = RestClient.user(server, "{'sub':'ann'}");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void someDocuments() throws Exception {
    server.clear();
    owner.set("/news/one", "");
    owner.set("/notes/anns", ANN);
    owner.set("/notes/bobs", "'owner':{'stringValue':'bob'}");
  }

  @Test
  void aDenialIsForbiddenInTheWordsOfTheEmulator() throws Exception {
    assertThat(nobody.documents("GET", "/notes/bobs", "").body())
        .isEqualTo(
            "{\"error\":{\"code\":403,\"message\":\"\\nevaluation error at L9:53 for 'get' @ L9,"
                + " Null value error. for 'get' @ L9\",\"status\":\"PERMISSION_DENIED\"}}");
    assertThat(ann.documents("GET", "/notes/bobs", "")).satisfies(answer -> {
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.body()).contains("\"\\nfalse for 'get' @ L9\"");
    });
  }

  @Test
  void aMissingDocumentIsNotFoundOnlyByWhoMayReadIt() throws Exception {
    assertThat(nobody.get("/news/none")).isEqualTo(404);
    assertThat(ann.get("/notes/none")).isEqualTo(403);
    assertThat(nobody.get("/elsewhere/none")).isEqualTo(403);
    assertThat(owner.get("/elsewhere/none")).isEqualTo(404);
  }

  @Test
  void theClaimsOfATokenAreBelieved() throws Exception {
    assertThat(ann.get("/notes/anns")).isEqualTo(200);
    assertThat(nobody.get("/notes/anns")).isEqualTo(403);
    assertThat(ann.get("/reports/r")).isEqualTo(403);
    RestClient boss = RestClient.user(server, "{'sub':'b','role':'boss','level':3}");
    assertThat(boss.get("/reports/r")).isEqualTo(404);
    assertThat(new RestClient(server, "no.token").get("/news/one")).isEqualTo(400);
  }

  @Test
  void aQueryIsAllowedIfItCanFindNothingForbidden() throws Exception {
    assertThat(ann.query(FROM_NOTES)).isEqualTo(403);
    assertThat(ann.query(FROM_NOTES + "," + ANNS)).isEqualTo(200);
    assertThat(nobody.query(FROM_NOTES + "," + ANNS)).isEqualTo(403);
    String group = FROM_NOTES.replace("'}", "','allDescendants':true}");
    assertThat(ann.query(group + "," + ANNS))
        .as("the rule is only for notes at the top")
        .isEqualTo(403);
    assertThat(aggregate(FROM_NOTES)).isEqualTo(403);
    assertThat(aggregate(FROM_NOTES + "," + ANNS)).isEqualTo(200);
    assertThat(partition(FROM_NOTES)).isEqualTo(403);
  }

  private static int aggregate(String query) throws Exception {
    return ann.status(
        "POST",
        ":runAggregationQuery",
        "{'structuredAggregationQuery':{'structuredQuery':{" + query
            + "},'aggregations':[{'alias':'n','count':{}}]}}");
  }

  private static int partition(String query) throws Exception {
    return ann.status(
        "POST",
        ":partitionQuery",
        "{'partitionCount':'2','structuredQuery':{" + query
            + ",'orderBy':[{'field':{'fieldPath':'__name__'},'direction':'ASCENDING'}]}}");
  }

  @Test
  void listingACollectionIsAQueryWhoseLimitIsThePage() throws Exception {
    assertThat(nobody.get("/news?pageSize=10")).isEqualTo(200);
    assertThat(nobody.get("/news?pageSize=11")).isEqualTo(403);
    assertThat(nobody.get("/news")).isEqualTo(403);
    assertThat(ann.get("/notes?pageSize=1")).isEqualTo(403);
  }

  @Test
  void createUpdateAndDeleteAreToldApart() throws Exception {
    assertThat(ann.set("/notes/new", ANN)).isEqualTo(200);
    assertThat(ann.set("/notes/new", ANN + ",'text':{'stringValue':'t'}")).isEqualTo(200);
    assertThat(ann.set("/notes/new", "'owner':{'stringValue':'bob'}")).isEqualTo(403);
    assertThat(ann.set("/notes/foreign", "'owner':{'stringValue':'bob'}")).isEqualTo(403);
    assertThat(ann.status("DELETE", "/notes/bobs", "")).isEqualTo(403);
    assertThat(ann.status("DELETE", "/notes/new", "")).isEqualTo(200);
    assertThat(ann.status("POST", "/notes?documentId=made", "{'fields':{" + ANN + "}}"))
        .isEqualTo(200);
    assertThat(owner.get("/notes/foreign")).isEqualTo(404);
  }

  @Test
  void aMergeIsJudgedByWhatItLeavesBehind() throws Exception {
    String body = "{'fields':{'text':{'stringValue':'new'}}}";
    assertThat(ann.status("PATCH", "/notes/anns?updateMask.fieldPaths=text", body))
        .isEqualTo(200);
    assertThat(ann.status("PATCH", "/notes/anns?updateMask.fieldPaths=owner", body))
        .as("takes the owner away")
        .isEqualTo(403);
  }

  @Test
  void transformsAreDoneBeforeTheRulesLook() throws Exception {
    assertThat(commit(transform("stamps/a", "at", "'setToServerValue':'REQUEST_TIME'")))
        .isEqualTo(200);
    assertThat(commit(write("stamps/b", "'at':{'timestampValue':'2030-01-01T00:00:00Z'}")))
        .isEqualTo(403);
    owner.set("/stamps/n", "'n':{'integerValue':'5'}");
    assertThat(commit(transform("stamps/n", "n", "'increment':{'integerValue':'1'}")))
        .isEqualTo(200);
    assertThat(commit(transform("stamps/n", "n", "'increment':{'integerValue':'2'}")))
        .isEqualTo(403);
  }

  @Test
  void aCommitIsJudgedAsAWholeAndDoneAsAWhole() throws Exception {
    String order = write("orders/o", "'total':{'integerValue':'7'}");
    String receipt = write("receipts/o", "'total':{'integerValue':'7'}");
    String wrong = write("receipts/o", "'total':{'integerValue':'8'}");
    assertThat(commit(order)).isEqualTo(403);
    assertThat(commit(order + "," + wrong)).isEqualTo(403);
    assertThat(owner.get("/orders/o")).isEqualTo(404);
    assertThat(commit(order + "," + receipt)).isEqualTo(200);
    assertThat(owner.get("/receipts/o")).isEqualTo(200);
  }

  @Test
  void namesComeBeforeRulesAndRulesBeforePreconditions() throws Exception {
    assertThat(ann.status("PATCH", "/__reserved__/a", "{}")).isEqualTo(400);
    assertThat(ann.status("PATCH", "/elsewhere/a?currentDocument.exists=true", "{}"))
        .isEqualTo(403);
    assertThat(
            ann.status("PATCH", "/notes/x?currentDocument.exists=true", "{'fields':{" + ANN + "}}"))
        .isEqualTo(404);
  }

  @Test
  void aBatchOfReadsIsAllowedIfEachOfThemIs() throws Exception {
    assertThat(batchGet("news/one", "news/none")).isEqualTo(200);
    assertThat(batchGet("news/one", "notes/bobs")).isEqualTo(403);
  }

  @Test
  void aBatchOfReadsMayLookUpTwentyDocuments() throws Exception {
    for (int i = 0; i < 21; i++) {
      owner.set("/news/" + i, "");
    }
    assertThat(batchGet(dear(20))).isEqualTo(200);
    assertThat(batchGet(dear(21))).isEqualTo(403);
  }

  private static String[] dear(int count) {
    return IntStream.range(0, count).mapToObj(i -> "dear/" + i).toArray(String[]::new);
  }

  @Test
  void onlyTheAdministratorSeesCollectionsAndThePast() throws Exception {
    String now = Instant.now().minusSeconds(1).truncatedTo(ChronoUnit.SECONDS).toString();
    String batch = "{'writes':[" + write("news/x", "") + "]}";
    String explain =
        "{'structuredQuery':{'from':[{'collectionId':'news'}],'limit':5},'explainOptions':{}}";
    String past = "{'options':{'readOnly':{'readTime':'" + now + "'}}}";
    for (RestClient client : new RestClient[] {nobody, ann}) {
      assertThat(client.documents("POST", ":listCollectionIds", "{}").body())
          .contains("require admin authentication.");
      assertThat(client.status("POST", ":batchWrite", batch)).isEqualTo(403);
      assertThat(client.get("/news?pageSize=1&showMissing=true")).isEqualTo(403);
      assertThat(client.get("/news/one?readTime=" + now)).isEqualTo(403);
      assertThat(client.status("POST", ":beginTransaction", past)).isEqualTo(403);
      assertThat(client.status("POST", ":runQuery", explain)).isEqualTo(403);
    }
    assertThat(owner.status("POST", ":listCollectionIds", "{}")).isEqualTo(200);
    assertThat(owner.status("POST", ":batchWrite", batch)).isEqualTo(200);
    assertThat(owner.status("POST", ":runQuery", explain)).isEqualTo(200);
  }

  @Test
  void aTransactionThatReadsWhatItMayNotIsOverAndHoldsNothing() throws Exception {
    String begun = nobody.documents("POST", ":beginTransaction", "{}").body();
    String id = begun.replaceAll("(?s).*\"transaction\": *\"([^\"]+)\".*", "$1");
    String query = "?transaction=" + URLEncoder.encode(id, StandardCharsets.UTF_8);
    assertThat(nobody.get("/news/one" + query)).isEqualTo(200);
    assertThat(nobody.get("/notes/bobs" + query)).isEqualTo(403);
    assertThat(nobody.get("/news/one" + query)).as("it is over").isEqualTo(409);
    assertThat(owner.set("/notes/bobs", "")).as("nobody holds it").isEqualTo(200);
  }

  private static int batchGet(String... paths) throws Exception {
    String names = Arrays.stream(paths)
        .map(path -> "'" + NAME + "/" + path + "'")
        .collect(Collectors.joining(","));
    return nobody.status("POST", ":batchGet", "{'documents':[" + names + "]}");
  }

  private static int commit(String writes) throws Exception {
    return nobody.status("POST", ":commit", "{'writes':[" + writes + "]}");
  }

  private static String write(String path, String fields) {
    return "{'update':{'name':'" + NAME + "/" + path + "','fields':{" + fields + "}}}";
  }

  private static String transform(String path, String field, String transform) {
    return "{'update':{'name':'" + NAME + "/" + path
        + "'},'updateMask':{},'updateTransforms':[{'fieldPath':'" + field + "'," + transform
        + "}]}";
  }
}
