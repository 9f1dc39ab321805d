package dev.syncguard.userscript.browser;

import dev.syncguard.sync.PersistenceSync;
import org.teavm.jso.JSBody;
import org.teavm.jso.browser.Window;
import org.teavm.jso.dom.events.Event;
import org.teavm.jso.dom.events.EventListener;
import org.teavm.jso.dom.html.HTMLDocument;

/** Tells the engine what the reader does with the page. */
public final class PageEvents {

  private static final String[] ACTIVITY = {
    "pointerdown", "pointermove", "keydown", "wheel", "touchstart", "scroll"
  };
  private static final long ENOUGH_MILLIS = 1_000;

  private final PersistenceSync sync;
  private final BrowserClock clock;
  private long lastActivity;

  /** Creates the listener; {@link #listen} starts it. */
  public PageEvents(PersistenceSync sync, BrowserClock clock) {
    this.sync = sync;
    this.clock = clock;
  }

  /** Listens for as long as the page lives. */
  public void listen() {
    HTMLDocument document = HTMLDocument.current();
    document.addEventListener("visibilitychange", event -> {
      if (isHidden()) {
        sync.pageHidden();
      } else {
        sync.pageVisible();
      }
    });
    Window.current().addEventListener("focus", event -> sync.pageFocused());
    EventListener<Event> active = event -> active();
    for (String kind : ACTIVITY) {
      document.addEventListener(kind, active, true);
    }
  }

  private void active() {
    long now = clock.monotonicMillis();
    if (now - lastActivity >= ENOUGH_MILLIS) {
      lastActivity = now;
      sync.userActive();
    }
  }

  /** Returns whether nobody can see the page now. */
  @JSBody(script = "return document.visibilityState === 'hidden';")
  public static native boolean isHidden();
}
