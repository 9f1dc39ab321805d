package dev.syncguard.firestore.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.ListDocumentsResponse;
import com.google.protobuf.util.JsonFormat;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.auth.Authorizer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Exact exchanges: what is sent, the status, and the body with its times replaced by T. */
class RestExchangeTest {
  private static final String ROOT = "/v1/projects/p/databases/(default)/documents";
  private static final String NAME = "projects/p/databases/(default)/documents";
  private static final String STALE = "2001-01-01T00:00:00.000001Z";

  private static FirestoreServer server;
  private static HttpClient client;

  record Exchange(String method, String path, String body, int status, String answer) {
    @Override
    public String toString() {
      return method + " " + path + " " + body;
    }
  }

  @BeforeAll
  static void start() {
    server = FirestoreServer.builder().authorizer(Authorizer.open()).start();
    client = HttpClient.newHttpClient();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void oneDocument() throws Exception {
    server.clear();
    send("PATCH", ROOT + "/c/d", "{\"fields\":{\"n\":{\"integerValue\":\"1\"}}}");
  }

  static List<Exchange> exchanges() {
    return List.of(
        // Reads
        new Exchange(
            "GET",
            ROOT + "/c/d",
            "",
            200,
            "{'name':'" + NAME
                + "/c/d','fields':{'n':{'integerValue':'1'}},'createTime':'T','updateTime':'T'}"),
        new Exchange(
            "GET",
            ROOT + "/c/none",
            "",
            404,
            error(404, "NOT_FOUND", "Document (" + NAME + "/c/none) not found.")),
        new Exchange(
            "GET",
            ROOT + "/c",
            "",
            200,
            "{'documents':[{'name':'" + NAME
                + "/c/d','fields':{'n':{'integerValue':'1'}},'createTime':'T','updateTime':'T'}]}"),
        new Exchange("GET", ROOT + "/empty", "", 200, "{}"),
        new Exchange(
            "GET",
            ROOT + "/c/d?mask.fieldPaths=x&unknown=1",
            "",
            200,
            "{'name':'" + NAME + "/c/d','createTime':'T','updateTime':'T'}"),
        new Exchange(
            "POST",
            ROOT + ":batchGet",
            "{'documents':['" + NAME + "/c/none']}",
            200,
            "[{'missing':'" + NAME + "/c/none','readTime':'T'}]"),
        new Exchange("POST", ROOT + ":batchGet", "{}", 200, "[]"),
        // Writes of one document
        new Exchange(
            "POST",
            ROOT + "/c?documentId=new",
            "{'fields':{'e':{'mapValue':{}},'z':{'nullValue':null},'d':{'doubleValue':'NaN'}}}",
            200,
            "{'name':'" + NAME
                + "/c/new','fields':{'e':{'mapValue':{}},'z':{'nullValue':null},'d':{'doubleValue':'NaN'}},"
                + "'createTime':'T','updateTime':'T'}"),
        new Exchange(
            "POST",
            ROOT + "/c?documentId=d",
            "{}",
            409,
            error(409, "ALREADY_EXISTS", "Document already exists: " + NAME + "/c/d")),
        new Exchange(
            "PATCH",
            ROOT + "/c/d?updateMask.fieldPaths=m&mask.fieldPaths=m",
            "{'fields':{'m':{'integer_value':5}}}",
            200,
            "{'name':'" + NAME
                + "/c/d','fields':{'m':{'integerValue':'5'}},'createTime':'T','updateTime':'T'}"),
        new Exchange(
            "PATCH",
            ROOT + "/c/none?currentDocument.exists=true",
            "{}",
            404,
            error(404, "NOT_FOUND", "No document to update: " + NAME + "/c/none")),
        new Exchange("DELETE", ROOT + "/c/d", "", 200, "{}"),
        // Commits
        new Exchange(
            "POST",
            ROOT + ":commit",
            "{'writes':[{'update':{'name':'" + NAME + "/c/e'}},{'delete':'" + NAME + "/c/d'}]}",
            200,
            "{'writeResults':[{'updateTime':'T'},{}],'commitTime':'T'}"),
        new Exchange("POST", ROOT + ":commit", "{}", 200, "{}"),
        new Exchange(
            "POST",
            ROOT + ":commit",
            "{'writes':[{'update':{'name':'" + NAME
                + "/c/d'},'currentDocument':{'exists':false}}]}",
            409,
            error(409, "ALREADY_EXISTS", "Document already exists: " + NAME + "/c/d")),
        new Exchange(
            "POST",
            ROOT + ":commit",
            "{'writes':[{'update':{'name':'" + NAME + "/c/none'},'currentDocument':{'updateTime':'"
                + STALE + "'}}]}",
            400,
            error(
                400,
                "FAILED_PRECONDITION",
                "the stored version (0) does not match the required base version (978307200000001)")),
        new Exchange(
            "POST",
            ROOT + ":commit",
            "{'writes':[{'delete':'" + NAME
                + "/c/d','currentDocument':{'updateTime':'2001-01-01T00:00:00.000000001Z'}}]}",
            400,
            error(
                400,
                "INVALID_ARGUMENT",
                "The update_time of a precondition must be a multiple of one microsecond.")),
        new Exchange(
            "POST",
            ROOT + ":commit",
            "{'writes':[{'update':{'name':'" + NAME + "/c/d'},'currentDocument':{'updateTime':'"
                + STALE + "'}}]}",
            400,
            error(
                400,
                "FAILED_PRECONDITION",
                "the stored version (V) does not match the required base version (978307200000001)")),
        new Exchange(
            "POST",
            ROOT + ":commit",
            "{'writes':[{'delete':'" + NAME
                + "/c/d','currentDocument':{'updateTime':'9000-01-01T00:00:00Z'}}]}",
            400,
            error(
                400, "INVALID_ARGUMENT", "The update_time of a precondition lies in the future.")),
        new Exchange(
            "POST",
            ROOT + ":commit",
            "{'writes':[{'update':{'name':'" + NAME
                + "/c/d'},'currentDocument':{'exists':true}},{'update':{'name':'" + NAME
                + "/c/none'},'currentDocument':{'exists':true}}]}",
            404,
            error(404, "NOT_FOUND", "No document to update: " + NAME + "/c/none")),
        new Exchange(
            "PATCH",
            ROOT + "/c/" + "x".repeat(1501),
            "{}",
            400,
            error(400, "INVALID_ARGUMENT", "The key path element name is longer than 1500 bytes.")),
        new Exchange(
            "PATCH",
            ROOT + "/c/d",
            "{'fields':{'a':" + "{'mapValue':{'fields':{'a':".repeat(21) + "{'nullValue':null}"
                + "}}}".repeat(21) + "}}",
            400,
            error(
                400,
                "INVALID_ARGUMENT",
                "Property contains an entity that is nested deeper than 20 levels.")),
        new Exchange(
            "PATCH",
            ROOT + "/c/d",
            "{'fields':{'n':{'integerValue':true}}}",
            400,
            error(400, "INVALID_ARGUMENT", "Payload isn't valid for request.")),
        new Exchange(
            "POST",
            ROOT + ":commit",
            "{'nonsense':1}",
            400,
            error(400, "INVALID_ARGUMENT", "Payload isn't valid for request.")),
        new Exchange(
            "POST",
            ROOT + ":commit",
            "{",
            400,
            error(400, "INVALID_ARGUMENT", "Payload isn't valid for request.")),
        new Exchange(
            "POST",
            ROOT + ":commit",
            "{'writes':[{'update':{'name':'" + NAME + "/c/__x__'}}]}",
            400,
            error(
                400,
                "INVALID_ARGUMENT",
                "Resource id \\'__x__\\' is invalid because it is reserved.")),
        // Queries
        new Exchange(
            "POST",
            ROOT + ":runQuery",
            "{'structuredQuery':{'from':[{'collectionId':'c'}],'select':{'fields':[]}}}",
            200,
            "[{'document':{'name':'" + NAME
                + "/c/d','createTime':'T','updateTime':'T'},'readTime':'T','done':true}]"),
        new Exchange(
            "POST",
            ROOT + ":runQuery",
            "{'structuredQuery':{'from':[{'collectionId':'none'}]}}",
            200,
            "[{'readTime':'T','done':true}]"),
        new Exchange(
            "POST",
            ROOT + ":runQuery",
            "{'structuredQuery':{'from':[{'collectionId':'c'}],'limit':-1}}",
            400,
            error(400, "INVALID_ARGUMENT", "limit is negative")),
        new Exchange(
            "POST",
            ROOT + ":runAggregationQuery",
            "{'structuredAggregationQuery':{'structuredQuery':{'from':[{'collectionId':'c'}]},"
                + "'aggregations':[{'alias':'k','count':{}}]}}",
            200,
            "[{'result':{'aggregateFields':{'k':{'integerValue':'1'}}},'readTime':'T'}]"),
        // Transactions
        new Exchange(
            "POST",
            ROOT + ":rollback",
            "{'transaction':'AAAA'}",
            400,
            error(400, "INVALID_ARGUMENT", "Invalid transaction.")),
        // What only the administrator may do, and what does not exist
        new Exchange(
            "POST",
            ROOT + ":listCollectionIds",
            "{}",
            403,
            error(403, "PERMISSION_DENIED", "Metadata operations require admin authentication.")),
        new Exchange("POST", ROOT + ":listen", "{}", 404, "Not Found"),
        new Exchange("PUT", ROOT + "/c/d", "{}", 404, "Not Found"),
        new Exchange("GET", "/v1/nonsense", "", 404, "Not Found"),
        new Exchange("GET", "/", "", 200, "Ok"),
        new Exchange(
            "DELETE", "/emulator/v1/projects/p/databases/(default)/documents", "", 200, "{}"));
  }

  @ParameterizedTest
  @MethodSource("exchanges")
  void anExchangeIsExact(Exchange exchange) throws Exception {
    HttpResponse<String> response =
        send(exchange.method(), exchange.path(), exchange.body().replace('\'', '"'));
    assertThat(normal(response.body())).isEqualTo(expected(exchange.answer()));
    assertThat(response.statusCode()).isEqualTo(exchange.status());
  }

  @Test
  void aTransactionReadsAndCommits() throws Exception {
    String begun = send("POST", ROOT + ":beginTransaction", "{}").body();
    String id = begun.replaceAll("(?s).*\"transaction\": \"([^\"]+)\".*", "$1");
    String got = send(
            "POST",
            ROOT + ":batchGet",
            "{\"documents\":[\"" + NAME + "/c/d\"],\"transaction\":\"" + id + "\"}")
        .body();
    assertThat(got).contains("\"found\"");
    HttpResponse<String> commit = send(
        "POST",
        ROOT + ":commit",
        "{\"transaction\":\"" + id + "\",\"writes\":[{\"delete\":\"" + NAME + "/c/d\"}]}");
    assertThat(commit.statusCode()).isEqualTo(200);
    HttpResponse<String> again = send("POST", ROOT + ":commit", "{\"transaction\":\"" + id + "\"}");
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("ABORTED");
  }

  @Test
  void aWriteThatChangesNothingKeepsItsTime() throws Exception {
    String before = send("GET", ROOT + "/c/d", "").body();
    send("PATCH", ROOT + "/c/d", "{\"fields\":{\"n\":{\"integerValue\":\"1\"}}}");
    assertThat(send("GET", ROOT + "/c/d", "").body()).isEqualTo(before);
  }

  @Test
  void aListIsWrittenDocumentByDocumentButReadsLikeOneMessage() throws Exception {
    for (String id : List.of("a", "b", "c")) {
      String fields = "{\"fields\":{\"s\":{\"stringValue\":\"two\\nlines\"}}}";
      send("PATCH", ROOT + "/listed/" + id, fields);
    }
    for (int size = 1; size <= 3; size++) {
      String body = send("GET", ROOT + "/listed?pageSize=" + size, "").body();
      ListDocumentsResponse.Builder list = ListDocumentsResponse.newBuilder();
      JsonFormat.parser().merge(body, list);
      assertThat(list.getDocumentsCount()).isEqualTo(size);
      assertThat(list.getNextPageToken().isEmpty()).isEqualTo(size == 3);
      assertThat(body).isEqualTo(JsonFormat.printer().print(list) + "\n");
    }
  }

  @Test
  void theOriginOfAPageIsReflected() throws Exception {
    HttpRequest request = request("GET", ROOT + "/c/d", "")
        .header("Origin", "http://localhost:3000")
        .build();
    assertThat(client
            .send(request, BodyHandlers.ofString())
            .headers()
            .firstValue("Access-Control-Allow-Origin"))
        .hasValue("http://localhost:3000");
  }

  @Test
  void tokensAreReadLikeTheEmulatorDoes() throws Exception {
    assertThat(status("Bearer owner")).isEqualTo(200);
    assertThat(status("bearer OWNER")).isEqualTo(200);
    assertThat(status("Bearer junk")).isEqualTo(400);
    assertThat(status("Basic x")).isEqualTo(500);
    assertThat(status("Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1In0.")).isEqualTo(403);
  }

  private static int status(String authorization) throws Exception {
    HttpRequest request = request("POST", ROOT + ":listCollectionIds", "{}")
        .header("Authorization", authorization)
        .build();
    return client.send(request, BodyHandlers.ofString()).statusCode();
  }

  private static HttpResponse<String> send(String method, String path, String body)
      throws Exception {
    return client.send(request(method, path, body).build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(String method, String path, String body) {
    return HttpRequest.newBuilder(URI.create("http://" + server.emulatorHost() + path))
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
  }

  private static String error(int code, String status, String message) {
    return "{'error':{'code':" + code + ",'message':'" + message + "','status':'" + status + "'}}";
  }

  // In the table quotes are single, and those inside of a message are escaped; isn't has a plain
  // one.
  private static String expected(String answer) {
    return answer
        .replace("isn't", "isn~t")
        .replace("\\'", "\\\"")
        .replace('\'', '"')
        .replace("isn~t", "isn't")
        .replaceAll("\\s", "");
  }

  private static String normal(String body) {
    return body.replaceAll("stored version \\([1-9][0-9]+\\)", "stored version (V)")
        .replaceAll("\"[0-9]{4}-[0-9]{2}-[0-9]{2}T[^\"]*Z\"", "\"T\"")
        .replace("\\u0027", "'")
        .replaceAll("\\s", "");
  }
}
