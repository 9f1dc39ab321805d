package dev.syncguard.userscript.page;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;
import org.teavm.jso.browser.Window;
import org.teavm.jso.dom.events.Event;
import org.teavm.jso.dom.html.HTMLDocument;
import org.teavm.jso.dom.html.HTMLElement;

/** Reading without a mouse. */
final class Keyboard {

  private final Runnable help;
  private @Nullable FeedView feed;
  private @Nullable ItemView current;

  Keyboard(Runnable help) {
    this.help = help;
  }

  void listen() {
    HTMLDocument.current().addEventListener("keydown", this::pressed);
  }

  void use(FeedView view) {
    feed = view;
    current = null;
  }

  private void pressed(Event event) {
    String key = plainKey(event);
    if (key.equals("?")) {
      help.run();
    }
    FeedView view = feed;
    if (view == null) {
      return;
    }
    switch (key) {
      case "j" -> go(view, 1, false);
      case "k" -> go(view, -1, false);
      case "u" -> go(view, 1, true);
      default -> onCurrent(view, key);
    }
  }

  private void onCurrent(FeedView view, String key) {
    ItemView item = current;
    if (item == null) {
      return;
    }
    switch (key) {
      case "m" -> view.toggleRead(item);
      case "+" -> view.prefer(item.item().author(), 1);
      case "-" -> view.prefer(item.item().author(), -1);
      case "o" -> open(item.item().url());
      default -> {}
    }
  }

  private static void open(String address) {
    if (!address.isEmpty()) {
      Window.current().open(address, "_blank", "noopener");
    }
  }

  private void go(FeedView view, int step, boolean onlyUnread) {
    List<ItemView> views = view.views();
    int index = current == null ? (step > 0 ? -1 : views.size()) : views.indexOf(current);
    do {
      index += step;
      if (index < 0 || index >= views.size()) {
        return;
      }
    } while (onlyUnread && views.get(index).isRead());
    current = views.get(index);
    showAtTop(current.element());
  }

  @JSBody(
      params = "element",
      script = "element.focus({preventScroll: true}); element.scrollIntoView({block: 'start'});")
  private static native void showAtTop(HTMLElement element);

  /** Returns the key, or an empty string when it belongs to a field or to the browser. */
  @JSBody(
      params = "event",
      script = "return event.ctrlKey || event.metaKey || event.altKey"
          + " || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) ? '' : event.key || '';")
  private static native String plainKey(Event event);
}
