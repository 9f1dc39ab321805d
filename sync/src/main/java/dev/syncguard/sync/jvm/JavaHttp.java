package dev.syncguard.sync.jvm;

import dev.syncguard.sync.Http;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends requests through the JDK's client and brings the answers to the engine's thread. Thread-safe. */
final class JavaHttp implements Http {

  private final HttpClient client = HttpClient.newBuilder()
      .followRedirects(HttpClient.Redirect.NEVER)
      .connectTimeout(Duration.ofSeconds(10))
      .build();
  private final Executor engine;

  JavaHttp(Executor engine) {
    this.engine = engine;
  }

  @Override
  public void send(Request request, Consumer<Reply> callback) {
    HttpRequest outgoing;
    try {
      outgoing = outgoing(request);
    } catch (IllegalArgumentException e) {
      engine.execute(() -> callback.accept(new Failure(Cause.REFUSED)));
      return;
    }
    var unused = client
        .sendAsync(outgoing, BodyHandlers.ofString())
        .handle((response, failure) -> response == null ? failed(failure) : answered(response))
        .thenAcceptAsync(callback, engine);
  }

  private static HttpRequest outgoing(Request request) {
    HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(request.url()))
        .timeout(Duration.ofMillis(request.timeoutMillis()));
    return request.body() == null
        ? builder.method(request.method().name(), BodyPublishers.noBody()).build()
        : builder
            .header("Content-Type", "application/json")
            .method(request.method().name(), BodyPublishers.ofString(request.body()))
            .build();
  }

  private static Reply answered(HttpResponse<String> response) {
    return new Answer(
        response.statusCode(),
        response.body(),
        response.headers().firstValue("Date").orElse(null));
  }

  private static Reply failed(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof HttpTimeoutException) {
      return new Failure(Cause.TIMEOUT);
    }
    boolean network = cause instanceof ConnectException || cause instanceof IOException;
    return new Failure(network ? Cause.OFFLINE : Cause.REFUSED);
  }
}
