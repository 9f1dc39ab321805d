package dev.syncguard.userscript.page;

import dev.syncguard.sync.Listener;
import org.teavm.jso.JSBody;

/** The log of the browser. */
final class Console {

  private Console() {}

  static void write(Listener.Level level, String text) {
    write(level == Listener.Level.DEBUG, level == Listener.Level.WARNING, "[power-reader] " + text);
  }

  @JSBody(
      params = {"debug", "warning", "text"},
      script = "console[debug ? 'debug' : warning ? 'warn' : 'info'](text);")
  private static native void write(boolean debug, boolean warning, String text);
}
