package dev.syncguard.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.Target;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.syncguard.firestore.server.FirestoreServer;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;

/** A program that uses the Firestore that the console shows, over REST. */
final class Documents {

  static final String RULES = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          function isOwner(owner) {
            return request.auth != null && request.auth.uid == owner;
          }
          match /cities/{city} {
            allow read: if true;
            allow write: if isOwner(resource.data.owner);
          }
          match /secrets/{secret} {
            allow read: if request.auth.token.admin == true;
          }
        }
      }
      """;

  private static final String ROOT = "projects/demo/databases/(default)/documents/";

  private final String host;
  private final String base;
  private final HttpClient http = HttpClient.newHttpClient();

  Documents(FirestoreServer server) {
    this.host = server.emulatorHost();
    this.base = "http://" + host + "/v1/projects/demo/databases/(default)/documents";
  }

  static FirestoreServer start() {
    return FirestoreServer.builder().rules(RULES).start();
  }

  /** Writes a document as the administrator. */
  void write(String collection, String id, String fields) {
    HttpResponse<String> answer = send(
        "POST",
        "/" + collection + "?documentId=" + URLEncoder.encode(id, UTF_8),
        "owner",
        "{\"fields\":" + fields + "}");
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(answer.body());
    }
  }

  void writeCities() {
    String[][] cities = {
      {"berlin", "Berlin", "3700000"}, {"lagos", "Lagos", "15400000"}, {"lima", "Lima", "10700000"},
      {"kyoto", "Kyoto", "1460000"}, {"oslo", "Oslo", "710000"}, {"quito", "Quito", "2800000"}
    };
    for (String[] city : cities) {
      write("cities", city[0], """
          {"name": {"stringValue": "%s"}, "population": {"integerValue": "%s"}, "capital": {"booleanValue": true},
           "owner": {"stringValue": "ada"}, "founded": {"timestampValue": "1237-01-01T00:00:00Z"},
           "place": {"geoPointValue": {"latitude": 52.5, "longitude": 13.4}},
           "tags": {"arrayValue": {"values": [{"stringValue": "river"}, {"integerValue": "7"}]}},
           "mayor": {"mapValue": {"fields": {"name": {"stringValue": "Kai"}, "since": {"integerValue": "2023"}}}}}
          """.formatted(city[1], city[2]));
    }
    write("cities/berlin/districts", "mitte", "{\"name\": {\"stringValue\": \"Mitte\"}}");
  }

  static String tokenOf(String uid) {
    return part("{\"alg\":\"none\"}") + "."
        + part("{\"sub\":\"" + uid + "\",\"email\":\"" + uid + "@example\"}") + ".";
  }

  private static String part(String json) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(UTF_8));
  }

  HttpResponse<String> send(String method, String path, String token, String body) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("authorization", "Bearer " + token);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Begins a transaction that reads a document and then does nothing more; returns its id. */
  String reading(String document) {
    String id = send("POST", ":beginTransaction", "owner", "{}")
        .body()
        .replaceAll("(?s).*\"transaction\": \"([^\"]+)\".*", "$1");
    send(
        "POST",
        ":batchGet",
        "owner",
        "{\"transaction\":\"" + id + "\",\"documents\":[\"" + ROOT + document + "\"]}");
    return id;
  }

  /** Listens to a document as a client does, from when this returns until what it returns is run. */
  Runnable listen(String uid, String document) {
    CompletableFuture<ListenResponse> first = new CompletableFuture<>();
    StreamObserver<ListenRequest> stream = GrpcClients.builder("gproto+http://" + host)
        .setHeader("authorization", "Bearer " + tokenOf(uid))
        .responseTimeoutMillis(0)
        .build(FirestoreGrpc.FirestoreStub.class)
        .listen(new StreamObserver<>() {
          @Override
          public void onNext(ListenResponse response) {
            first.complete(response);
          }

          @Override
          public void onError(Throwable failure) {
            first.completeExceptionally(failure);
          }

          @Override
          public void onCompleted() {}
        });
    stream.onNext(ListenRequest.newBuilder()
        .setDatabase("projects/demo/databases/(default)")
        .setAddTarget(Target.newBuilder()
            .setTargetId(1)
            .setDocuments(Target.DocumentsTarget.newBuilder().addDocuments(ROOT + document)))
        .build());
    first.join();
    return stream::onCompleted;
  }
}
