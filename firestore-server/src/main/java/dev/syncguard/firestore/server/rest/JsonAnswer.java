package dev.syncguard.firestore.server.rest;

import com.google.firestore.v1.ListDocumentsResponse;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.http.RequestBudget;
import dev.syncguard.firestore.server.operation.Messages;
import java.util.Iterator;

/**
 * What a request is answered with: messages as JSON. Of many messages a part at a time is written while the client takes
 * it, so that little of the answer is in memory as text.
 */
final class JsonAnswer {
  private static final int PART = 64 << 10;
  /** Text is written into a buffer that grows, becomes a string, which becomes bytes. */
  private static final long BYTES_PER_CHARACTER = 3;

  private final ServiceRequestContext ctx;
  private final Iterator<? extends Message> messages;
  private final Runnable close;
  private final String indent;
  private final String separator;
  private final String end;
  private long charged;

  private JsonAnswer(
      ServiceRequestContext ctx,
      Iterator<? extends Message> messages,
      Runnable close,
      String indent,
      String separator,
      String end) {
    this.ctx = ctx;
    this.messages = messages;
    this.close = close;
    this.indent = indent;
    this.separator = separator;
    this.end = end;
  }

  /** Returns an answer of one message to a question. One that is too large for the moment is refused. */
  static HttpResponse of(ServiceRequestContext ctx, Message message) {
    if (message instanceof ListDocumentsResponse list && list.getDocumentsCount() > 0) {
      return ofList(ctx, list);
    }
    reserve(ctx, message);
    return done(message);
  }

  /** Refuses to go on if the answer would be too large for the moment. */
  static void reserve(ServiceRequestContext ctx, Message answer) {
    RequestBudget.charge(ctx, BYTES_PER_CHARACTER * JsonLength.of(answer));
  }

  /**
   * Returns the answer to something that is done. That is never refused any more: either its size has been reserved
   * before, or it is about as long as the request, which still counts.
   */
  static HttpResponse done(Message message) {
    return HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, Json.print(message));
  }

  /** Returns an answer that is an array of messages. */
  static HttpResponse ofAll(ServiceRequestContext ctx, Messages<? extends Message> messages) {
    return new JsonAnswer(ctx, messages, messages::close, "", ",\n", "]\n").from("[");
  }

  /** Returns the same text that the message as a whole would be. */
  private static HttpResponse ofList(ServiceRequestContext ctx, ListDocumentsResponse list) {
    String rest = Json.print(list.toBuilder().clearDocuments().build()).substring(1);
    String end = (list.getNextPageToken().isEmpty() ? "]" : "],") + rest;
    return new JsonAnswer(ctx, list.getDocumentsList().iterator(), () -> {}, "  ", ", ", end)
        .from("{\n  \"documents\": [");
  }

  private HttpResponse from(String start) {
    StringBuilder part = new StringBuilder(start);
    String first;
    try {
      if (messages.hasNext()) {
        append(part, "", messages.next());
      }
      first = filled(part);
    } catch (RuntimeException e) {
      close.run();
      throw e;
    }
    if (!messages.hasNext()) {
      return HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, first);
    }
    HttpResponseWriter client = HttpResponse.streaming();
    var unused = client
        .whenComplete()
        .whenCompleteAsync((end, e) -> close.run(), ctx.blockingTaskExecutor());
    client.write(
        ResponseHeaders.of(HttpStatus.OK, HttpHeaderNames.CONTENT_TYPE, MediaType.JSON_UTF_8));
    client.write(HttpData.ofUtf8(first));
    resumeWhenTaken(client);
    return client;
  }

  private void resumeWhenTaken(HttpResponseWriter client) {
    var unused =
        client.whenConsumed().thenRunAsync(() -> resume(client), ctx.blockingTaskExecutor());
  }

  private void resume(HttpResponseWriter client) {
    try {
      client.write(HttpData.ofUtf8(filled(new StringBuilder())));
      if (messages.hasNext()) {
        resumeWhenTaken(client);
      } else {
        client.close();
      }
    } catch (RuntimeException e) {
      client.close(e); // cuts the answer off: half an array must not look like a whole one
    }
  }

  private String filled(StringBuilder part) {
    while (messages.hasNext() && part.length() < PART) {
      append(part, separator, messages.next());
    }
    return part.append(messages.hasNext() ? "" : end).toString();
  }

  private void append(StringBuilder part, String before, Message message) {
    charge(BYTES_PER_CHARACTER * (part.length() + JsonLength.of(message)));
    String text = Json.print(message).stripTrailing();
    part.append(before).append(indent.isEmpty() ? text : text.replace("\n", "\n" + indent));
  }

  /** Counts the longest part that there has been: only one of them is in memory at a time. */
  private void charge(long bytes) {
    if (bytes - charged > RequestBudget.FREE_BYTES) {
      RequestBudget.charge(ctx, bytes - charged);
      charged = bytes;
    }
  }
}
