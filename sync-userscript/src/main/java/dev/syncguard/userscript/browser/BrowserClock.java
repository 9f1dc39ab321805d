package dev.syncguard.userscript.browser;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.Timers;
import org.teavm.jso.JSBody;
import org.teavm.jso.browser.Window;

/** The clocks and timers of the browser. */
public final class BrowserClock implements Clocks, Timers {

  @Override
  public long wallMillis() {
    return (long) dateNow();
  }

  @Override
  public long monotonicMillis() {
    return (long) performanceNow();
  }

  @Override
  public Timer schedule(long delayMillis, Runnable task) {
    int handle = Window.setTimeout(task::run, (int) Math.min(delayMillis, Integer.MAX_VALUE));
    return () -> Window.clearTimeout(handle);
  }

  @JSBody(script = "return Date.now();")
  private static native double dateNow();

  @JSBody(script = "return performance.now();")
  private static native double performanceNow();
}
