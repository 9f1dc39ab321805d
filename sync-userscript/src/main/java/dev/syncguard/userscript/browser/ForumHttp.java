package dev.syncguard.userscript.browser;

import dev.syncguard.sync.Http;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;

/** Requests to the forum itself, with the cookies of whoever is logged in. */
public final class ForumHttp implements Http {

  @Override
  public void send(Request request, Consumer<Reply> callback) {
    send(
        request.method().name(),
        request.url(),
        request.body(),
        (double) request.timeoutMillis(),
        (status, body, date) ->
            callback.accept(new Answer(status, body, date.isEmpty() ? null : date)),
        () -> callback.accept(new Failure(Cause.OFFLINE)),
        () -> callback.accept(new Failure(Cause.TIMEOUT)));
  }

  @JSBody(
      params = {"method", "url", "body", "timeout", "answered", "failed", "timedOut"},
      script = "var x = new XMLHttpRequest(); x.open(method, url); x.timeout = timeout;"
          + " x.setRequestHeader('Content-Type', 'application/json'); x.onload = function() {"
          + " answered(x.status, x.responseText, x.getResponseHeader('Date') || ''); };"
          + " x.onerror = x.onabort = function() { failed(); }; x.ontimeout = function() {"
          + " timedOut(); }; x.send(body);")
  private static native void send(
      String method,
      String url,
      @Nullable String body,
      double timeout,
      Gm.Answered answered,
      Gm.Failed failed,
      Gm.Failed timedOut);
}
