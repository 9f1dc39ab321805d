package dev.syncguard.firestore.server.webchannel;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** The body of a request, read piece by piece up to a limit. Not thread-safe. */
final class ChannelBody implements Subscriber<HttpObject> {
  /** Room for a few writes of the largest size, with an escape for every character. */
  static final int MAX_BYTES = 64 << 20;

  /** Says that the body is longer than that. */
  static final class TooLong extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final FormDecoder decoder = new FormDecoder();
  private final CompletableFuture<ChannelForm> form = new CompletableFuture<>();
  private long length;

  private ChannelBody() {}

  static CompletableFuture<ChannelForm> of(HttpRequest request) {
    ChannelBody body = new ChannelBody();
    request.subscribe(body);
    return body.form;
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(HttpObject piece) {
    if (!(piece instanceof HttpData data) || form.isDone()) {
      return; // what is left of a body that was refused
    }
    length += data.length();
    try {
      if (length > MAX_BYTES) {
        throw new TooLong();
      }
      decoder.add(data.array());
    } catch (RuntimeException e) {
      form.completeExceptionally(e);
    }
  }

  @Override
  public void onError(Throwable failure) {
    form.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    if (form.isDone()) {
      return;
    }
    try {
      form.complete(decoder.end());
    } catch (RuntimeException e) {
      form.completeExceptionally(e);
    }
  }
}
