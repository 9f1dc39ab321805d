package dev.syncguard.firestore.server.rest;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import java.util.Iterator;
import java.util.concurrent.Executor;

/** A stream of messages as one JSON array, of which a part at a time is written while the client takes it. */
final class JsonArrayResponse {
  private static final int PART = 64 << 10;

  private final Iterator<? extends Message> messages;
  private final Executor executor;
  private boolean started;

  private JsonArrayResponse(Iterator<? extends Message> messages, Executor executor) {
    this.messages = messages;
    this.executor = executor;
  }

  static HttpResponse of(Iterator<? extends Message> messages, Executor executor) {
    JsonArrayResponse response = new JsonArrayResponse(messages, executor);
    String first = response.nextPart();
    return messages.hasNext()
        ? response.stream(first)
        : HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, first);
  }

  private HttpResponse stream(String first) {
    HttpResponseWriter client = HttpResponse.streaming();
    client.write(
        ResponseHeaders.of(HttpStatus.OK, HttpHeaderNames.CONTENT_TYPE, MediaType.JSON_UTF_8));
    client.write(HttpData.ofUtf8(first));
    goOnWhenTaken(client);
    return client;
  }

  private void goOnWhenTaken(HttpResponseWriter client) {
    var unused = client.whenConsumed().thenRunAsync(() -> goOn(client), executor);
  }

  private void goOn(HttpResponseWriter client) {
    try {
      client.write(HttpData.ofUtf8(nextPart()));
      if (messages.hasNext()) {
        goOnWhenTaken(client);
      } else {
        client.close();
      }
    } catch (RuntimeException e) {
      client.close(e); // cuts the answer off: half an array must not look like a whole one
    }
  }

  private String nextPart() {
    StringBuilder part = new StringBuilder(started ? "" : "[");
    while (messages.hasNext() && part.length() < PART) {
      part.append(started ? ",\n" : "").append(Json.print(messages.next()).stripTrailing());
      started = true;
    }
    return part.append(messages.hasNext() ? "" : "]\n").toString();
  }
}
