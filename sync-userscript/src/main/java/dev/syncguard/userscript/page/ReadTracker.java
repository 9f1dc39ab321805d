package dev.syncguard.userscript.page;

import dev.syncguard.sync.Clocks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.teavm.jso.JSBody;
import org.teavm.jso.JSFunctor;
import org.teavm.jso.JSObject;
import org.teavm.jso.browser.Window;
import org.teavm.jso.dom.events.Event;
import org.teavm.jso.dom.events.EventListener;
import org.teavm.jso.dom.html.HTMLElement;

/**
 * Notices what the reader has scrolled past.
 *
 * <p>An item counts as read when it was in sight for a second or more, left at the top, and is still gone five seconds
 * later: who only overshoots and comes back has not read it. Neither has who jumps over more than a screen at once. What
 * is in sight at the end of the page cannot be scrolled past, so there five seconds in sight are enough. An item whose
 * mark was taken back has to leave and come back first.
 */
final class ReadTracker {

  private static final int DELAY_MILLIS = 5_000;
  private static final int SEEN_MILLIS = 1_000;
  private static final long NEVER = -1;

  private final Clocks clocks;
  private final Consumer<List<ItemView>> read;
  private final Map<String, Watched> watched = new LinkedHashMap<>();
  private final EventListener<Event> scrolled = event -> scrolled();
  private final Observer observer = observer(this::moved);
  private double lastPlace = place();
  private boolean jumped;
  private long endSince = NEVER;
  private boolean stopped;

  /** One item, and when it came and went. */
  private static final class Watched {
    private final ItemView view;
    private long inSightSince = NEVER;
    private long seenMillis;
    private long passedAt = NEVER;
    private boolean mustComeBack;

    Watched(ItemView view) {
      this.view = view;
    }
  }

  ReadTracker(Clocks clocks, Consumer<List<ItemView>> read) {
    this.clocks = clocks;
    this.read = read;
    Window.current().addEventListener("scroll", scrolled);
  }

  void watch(ItemView view) {
    watched.put(view.item().id(), new Watched(view));
    observer.observe(view.element());
  }

  /** Stops watching, because something else is shown. */
  void stop() {
    stopped = true;
    observer.disconnect();
    Window.current().removeEventListener("scroll", scrolled);
  }

  /** Lets an item whose mark was taken back stay unread until it comes into sight anew. */
  void takenBack(ItemView view) {
    Watched item = watched.get(view.item().id());
    if (item != null) {
      item.mustComeBack = true;
      item.passedAt = NEVER;
    }
  }

  private void moved(HTMLElement element, boolean inSight, boolean above) {
    Watched item = watched.get(element.getAttribute("data-id"));
    long now = clocks.monotonicMillis();
    if (item == null || inSight == (item.inSightSince != NEVER)) {
      return;
    }
    if (inSight) {
      item.inSightSince = now;
      item.passedAt = NEVER;
      item.mustComeBack = false;
      return;
    }
    item.seenMillis += now - item.inSightSince;
    item.inSightSince = NEVER;
    if (above && !jumped && !item.mustComeBack && item.seenMillis >= SEEN_MILLIS) {
      item.passedAt = now;
      lookLater();
    }
  }

  private void scrolled() {
    double place = place();
    jumped = Math.abs(place - lastPlace) > Window.current().getInnerHeight();
    lastPlace = place;
    if (!isAtEnd()) {
      endSince = NEVER;
    } else if (endSince == NEVER) {
      endSince = clocks.monotonicMillis();
      lookLater();
    }
  }

  private void lookLater() {
    Window.setTimeout(this::look, DELAY_MILLIS);
  }

  private void look() {
    if (stopped) {
      return;
    }
    long now = clocks.monotonicMillis();
    List<ItemView> done = new ArrayList<>();
    for (Watched item : watched.values()) {
      if (item.view.isRead()) {
        item.passedAt = NEVER;
      } else if (isOver(item.passedAt, now) || (isOver(endSince, now) && staysInSight(item, now))) {
        item.passedAt = NEVER;
        done.add(item.view);
      }
    }
    if (!done.isEmpty()) {
      read.accept(done);
    }
  }

  private static boolean staysInSight(Watched item, long now) {
    return isOver(item.inSightSince, now) && !item.mustComeBack;
  }

  private static boolean isOver(long since, long now) {
    return since != NEVER && now - since >= DELAY_MILLIS;
  }

  @JSFunctor
  interface Moved extends JSObject {
    void moved(HTMLElement element, boolean inSight, boolean above);
  }

  /** The browser's watch over what is in sight. */
  interface Observer extends JSObject {
    void observe(HTMLElement element);

    void disconnect();
  }

  // What is below the bar at the top is out of sight.
  @JSBody(
      params = "moved",
      script = "return new IntersectionObserver(function(entries) { entries.forEach(function(e) {"
          + " moved(e.target, e.isIntersecting, e.boundingClientRect.bottom <= 44); }); },"
          + " {rootMargin: '-44px 0px 0px'});")
  private static native Observer observer(Moved moved);

  @JSBody(script = "return window.scrollY;")
  private static native double place();

  @JSBody(
      script = "return window.scrollY > 0"
          + " && window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 4;")
  private static native boolean isAtEnd();
}
