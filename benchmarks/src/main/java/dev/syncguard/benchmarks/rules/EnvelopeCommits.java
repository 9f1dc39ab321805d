package dev.syncguard.benchmarks.rules;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Somebody without a token who commits a full envelope to a server over REST, again and again. Used by one thread. */
final class EnvelopeCommits implements AutoCloseable {

  private static final String NODE =
      "projects/p/databases/(default)/documents/pr_sync_v1/lw/nodes/pr_sync_"
          + "0123456789abcdef".repeat(4);

  private final FirestoreServer server;
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<String> bodies;
  private int committed;

  EnvelopeCommits(FirestoreServer server) throws InvalidProtocolBufferException {
    this.server = server;
    // Two that differ, or a commit would change nothing.
    this.bodies = List.of(body("one:11111111"), body("two:22222222"));
  }

  private static String body(String writer) throws InvalidProtocolBufferException {
    Map<String, Value> fields = new HashMap<>(Envelope.of(10_000, 1_000));
    fields.put("lastPushedBy", Value.newBuilder().setStringValue(writer).build());
    return JsonFormat.printer()
        .print(CommitRequest.newBuilder()
            .addWrites(Write.newBuilder()
                .setUpdate(Document.newBuilder().setName(NODE).putAllFields(fields))));
  }

  /** Commits once, and returns whether that was allowed. */
  boolean commit() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + server.emulatorHost()
            + "/v1/projects/p/databases/(default)/documents:commit"))
        .POST(BodyPublishers.ofString(bodies.get(committed++ % bodies.size())))
        .build();
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    return response.statusCode() == 200;
  }

  @Override
  public void close() {
    server.close();
  }
}
