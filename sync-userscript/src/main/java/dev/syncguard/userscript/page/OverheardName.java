package dev.syncguard.userscript.page;

import dev.syncguard.sync.Http;
import java.util.function.Consumer;
import org.teavm.jso.JSBody;

/** The name of whoever is logged in, taken from the answer that the engine asks for, so that nobody has to ask twice. */
final class OverheardName implements Http {

  private final Http http;
  private String name = "";

  OverheardName(Http http) {
    this.http = http;
  }

  /** Returns the name, or an empty string when nobody is logged in or nobody has asked yet. */
  String name() {
    return name;
  }

  @Override
  public void send(Request request, Consumer<Reply> callback) {
    http.send(request, reply -> {
      if (reply instanceof Answer answer && name.isEmpty()) {
        name = username(answer.body());
      }
      callback.accept(reply);
    });
  }

  @JSBody(
      params = "body",
      script =
          "try { return String(JSON.parse(body).data.currentUser.username || ''); } catch (e) {"
              + " return ''; }")
  private static native String username(String body);
}
