package dev.syncguard.userscript.browser;

import dev.syncguard.sync.Http;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;
import org.teavm.jso.browser.Window;

/** Requests through the userscript manager, which alone may reach other hosts than the forum. */
public final class GmHttp implements Http {

  @Override
  public void send(Request request, Consumer<Reply> callback) {
    try {
      Gm.send(
          request.method().name(),
          request.url(),
          request.body(),
          (double) request.timeoutMillis(),
          (status, body, headers) -> callback.accept(
              status == 0 ? withoutAnswer() : new Answer(status, body, date(headers))),
          () -> callback.accept(withoutAnswer()),
          () -> callback.accept(new Failure(Cause.TIMEOUT)));
    } catch (RuntimeException e) {
      // A manager may throw when a host is not on its list, and the engine wants its answer later.
      Window.setTimeout(() -> callback.accept(new Failure(Cause.REFUSED)), 0);
    }
  }

  private static Failure withoutAnswer() {
    return new Failure(isOnline() ? Cause.REFUSED : Cause.OFFLINE);
  }

  @JSBody(
      params = "headers",
      script = "var d = /^date:[ \\t]*(.+?)\\s*$/im.exec(headers); return d ? d[1] : null;")
  private static native @Nullable String date(String headers);

  @JSBody(script = "return navigator.onLine !== false;")
  private static native boolean isOnline();
}
