package dev.syncguard.firestore.server.trigger;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for an answer until its last byte, but not without end. The timeout of a request alone ends with the headers. */
final class WholeAnswer {
  private WholeAnswer() {}

  /** Sends a request and returns the status of its answer, or fails if that has not ended in time. */
  static int status(HttpClient client, HttpRequest request, Duration patience)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<Void>> answer =
        client.sendAsync(request, BodyHandlers.discarding());
    try {
      return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS).statusCode();
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("The answer has not ended within " + patience);
    } catch (ExecutionException e) {
      throw new IOException("There was no answer", e.getCause());
    } finally {
      answer.cancel(true);
    }
  }
}
