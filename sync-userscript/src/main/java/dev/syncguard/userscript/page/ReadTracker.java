package dev.syncguard.userscript.page;

import dev.syncguard.sync.Time;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.teavm.jso.JSBody;
import org.teavm.jso.browser.Window;
import org.teavm.jso.dom.events.Event;
import org.teavm.jso.dom.events.EventListener;
import org.teavm.jso.dom.html.TextRectangle;

/**
 * Notices what the reader has scrolled past.
 *
 * <p>An item counts as read five seconds after its body left at the top, if it is still out of sight then: who only
 * overshoots and comes back has not read it. What is in sight at the end of the page cannot be scrolled past, so there
 * being in sight is enough.
 */
final class ReadTracker {

  private static final int DELAY_MILLIS = 5_000;
  private static final int LOOK_MILLIS = 250;

  private final List<ItemView> views;
  private final Time time;
  private final Consumer<List<ItemView>> read;
  private final Map<ItemView, Long> passedAt = new HashMap<>();
  private final EventListener<Event> scrolled = event -> lookSoon();
  private boolean looking;
  private boolean stopped;

  ReadTracker(List<ItemView> views, Time time, Consumer<List<ItemView>> read) {
    this.views = views;
    this.time = time;
    this.read = read;
  }

  /** Starts watching. Only a reader who scrolls has read something. */
  void listen() {
    Window.current().addEventListener("scroll", scrolled);
  }

  /** Stops watching, because something else is shown. */
  void stop() {
    stopped = true;
    Window.current().removeEventListener("scroll", scrolled);
  }

  private void lookSoon() {
    if (!looking) {
      looking = true;
      Window.setTimeout(this::look, LOOK_MILLIS);
    }
  }

  private void look() {
    looking = false;
    if (stopped) {
      return;
    }
    boolean atEnd = isAtEnd();
    long now = time.monotonicMillis();
    List<ItemView> done = new ArrayList<>();
    for (ItemView view : views) {
      if (view.isRead() || !isPassed(view, atEnd)) {
        passedAt.remove(view);
      } else if (now - passedAt.computeIfAbsent(view, first -> now) >= DELAY_MILLIS) {
        passedAt.remove(view);
        done.add(view);
      }
    }
    if (!done.isEmpty()) {
      read.accept(done);
    }
    if (!passedAt.isEmpty()) {
      lookSoon();
    }
  }

  private static boolean isPassed(ItemView view, boolean atEnd) {
    TextRectangle place = view.body().getBoundingClientRect();
    return place.getBottom() < 0 || (atEnd && place.getTop() < Window.current().getInnerHeight());
  }

  @JSBody(
      script = "return window.scrollY > 0"
          + " && window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 4;")
  private static native boolean isAtEnd();
}
