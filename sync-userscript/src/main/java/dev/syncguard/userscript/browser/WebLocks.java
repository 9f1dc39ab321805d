package dev.syncguard.userscript.browser;

import dev.syncguard.sync.MutualExclusion;
import org.teavm.jso.JSBody;
import org.teavm.jso.JSFunctor;
import org.teavm.jso.JSObject;

/** {@code navigator.locks}: held until it is given back or the tab is gone. */
public final class WebLocks implements MutualExclusion {

  @Override
  public void tryEnter(String name, Outcome outcome) {
    if (!exists()) {
      outcome.unavailable();
      return;
    }
    request(name, leave -> outcome.entered(leave::run), outcome::busy, outcome::unavailable);
  }

  @JSFunctor
  interface Leave extends JSObject {
    void run();
  }

  @JSFunctor
  interface Entered extends JSObject {
    void entered(Leave leave);
  }

  @JSFunctor
  interface Told extends JSObject {
    void told();
  }

  @JSBody(script = "return typeof navigator.locks === 'object' && navigator.locks !== null;")
  private static native boolean exists();

  @JSBody(
      params = {"name", "entered", "busy", "unavailable"},
      script = "var told = false; function once(f) { if (!told) { told = true; f(); } }"
          + " try { navigator.locks.request(name, {ifAvailable: true}, function(lock) {"
          + " if (!lock) { once(busy); return undefined; }"
          + " return new Promise(function(leave) { once(function() { entered(leave); }); }); })"
          + ".catch(function() { once(unavailable); }); } catch (e) { once(unavailable); }")
  private static native void request(String name, Entered entered, Told busy, Told unavailable);
}
