package dev.syncguard.userscript.page;

import dev.syncguard.sync.Listener;
import org.teavm.jso.JSBody;

/** The log of the browser. */
final class Console {

  private Console() {}

  static void write(Listener.Level level, String text) {
    switch (level) {
      case DEBUG -> debug("[power-reader] " + text);
      case INFO -> info("[power-reader] " + text);
      case WARNING -> warn("[power-reader] " + text);
    }
  }

  @JSBody(params = "text", script = "console.debug(text);")
  private static native void debug(String text);

  @JSBody(params = "text", script = "console.info(text);")
  private static native void info(String text);

  @JSBody(params = "text", script = "console.warn(text);")
  private static native void warn(String text);
}
