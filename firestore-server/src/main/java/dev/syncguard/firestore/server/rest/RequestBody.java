package dev.syncguard.firestore.server.rest;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * The body of a request, taken piece by piece. Armeria would collect all pieces before anybody could count them, and so
 * before the budget for requests could refuse one.
 */
final class RequestBody implements Subscriber<HttpObject> {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<String> text = new CompletableFuture<>();

  private RequestBody() {}

  static CompletableFuture<String> of(HttpRequest request) {
    RequestBody body = new RequestBody();
    request.subscribe(body);
    return body.text;
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(HttpObject piece) {
    if (piece instanceof HttpData data) {
      bytes.writeBytes(data.array());
    }
  }

  @Override
  public void onError(Throwable failure) {
    text.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    text.complete(bytes.toString(StandardCharsets.UTF_8));
  }
}
