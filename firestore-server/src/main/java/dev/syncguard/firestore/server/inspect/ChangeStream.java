package dev.syncguard.firestore.server.inspect;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.http.Connections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Tells one client what has changed, until it goes away: a line of JSON each time, at most ten a second, and one without a
 * change now and then, so that silence means that nobody is there.
 */
final class ChangeStream {
  private static final MediaType LINES = MediaType.create("application", "x-ndjson");
  private static final long SAMPLE_MS = 100;
  private static final int SAMPLES_WITHOUT_A_LINE = 20;

  private final ChangeWatch watch;
  private final HttpResponseWriter response;
  private CompletableFuture<Void> consumed = CompletableFuture.completedFuture(null);
  private int silent = SAMPLES_WITHOUT_A_LINE; // the first line says that all is well

  private ChangeStream(ChangeWatch watch, HttpResponseWriter response) {
    this.watch = watch;
    this.response = response;
  }

  static HttpResponse open(ServiceRequestContext ctx, ChangeWatch watch) {
    Connections.begun(ctx);
    HttpResponseWriter response = HttpResponse.streaming();
    ChangeStream stream = new ChangeStream(watch, response);
    response.write(ResponseHeaders.builder(HttpStatus.OK).contentType(LINES).build());
    ScheduledFuture<?> sampling = ctx.blockingTaskExecutor()
        .scheduleWithFixedDelay(stream::sample, 0, SAMPLE_MS, TimeUnit.MILLISECONDS);
    var unused = response.whenComplete().handle((done, failure) -> {
      sampling.cancel(false);
      watch.close();
      return null;
    });
    return response;
  }

  private void sample() {
    if (!consumed.isDone()) {
      return; // A client that does not read is told of everything at once when it does.
    }
    var changed = watch.changed();
    if (changed.isEmpty() && ++silent < SAMPLES_WITHOUT_A_LINE) {
      return;
    }
    silent = 0;
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    ArrayNode topics = line.putArray("changed");
    changed.forEach(topics::add);
    if (response.tryWrite(HttpData.ofUtf8(line + "\n"))) {
      consumed = response.whenConsumed();
    }
  }
}
