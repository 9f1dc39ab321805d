package dev.syncguard.userscript.page;

import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.Site;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;
import org.teavm.jso.browser.Window;
import org.teavm.jso.dom.events.Event;
import org.teavm.jso.dom.html.HTMLDocument;
import org.teavm.jso.dom.html.HTMLElement;
import org.teavm.jso.dom.html.TextRectangle;

/** Reading without a mouse. Single letters can be switched off, for those whose software types them. */
final class Keyboard {

  private final KeyValueStore values;
  private final String remembered;
  private @Nullable FeedView feed;
  private @Nullable ItemView current;
  private Runnable help = () -> {};

  Keyboard(Site site, KeyValueStore values) {
    this.values = values;
    this.remembered = site.keyPrefix() + "power-reader-keys";
  }

  void listen(Runnable onHelp) {
    help = onHelp;
    HTMLDocument.current().addEventListener("keydown", this::pressed);
  }

  boolean isEnabled() {
    return !"false".equals(values.get(remembered));
  }

  void setEnabled(boolean enabled) {
    values.set(remembered, Boolean.toString(enabled));
  }

  void use(FeedView view) {
    feed = view;
    current = null;
  }

  private void pressed(Event event) {
    String pressed = plainKey(event);
    if (pressed.length() != 1 || !isEnabled()) {
      return;
    }
    char key = pressed.charAt(0);
    if (key == '?') {
      help.run();
    }
    FeedView view = feed;
    if (view == null) {
      return;
    }
    switch (key) {
      case 'j' -> go(view, 1, false);
      case 'k' -> go(view, -1, false);
      case 'u' -> go(view, 1, true);
      case 'z' -> view.undo();
      default -> onCurrent(view, key);
    }
  }

  private void onCurrent(FeedView view, char key) {
    ItemView item = current;
    if (item == null) {
      return;
    }
    switch (key) {
      case 'm' -> view.toggleRead(item);
      case '+' -> view.prefer(item.item().author(), 1);
      case '-' -> view.prefer(item.item().author(), -1);
      case 'o' -> open(item.item().url());
      default -> {}
    }
  }

  private static void open(String address) {
    if (!address.isEmpty()) {
      Window.current().open(address, "_blank", "noopener");
    }
  }

  /** Goes from the current item, or from what is in sight when the reader has scrolled away from it. */
  private void go(FeedView view, int step, boolean onlyUnread) {
    List<ItemView> views = view.views();
    int index = current != null && isInSight(current)
        ? views.indexOf(current) + step
        : fromSight(views, step);
    while (index >= 0 && index < views.size()) {
      ItemView next = views.get(index);
      if (!onlyUnread || !next.isRead()) {
        current = next;
        showAtTop(next.element());
        return;
      }
      index += step;
    }
  }

  /** Returns the first item that begins in sight or below it, or going back the last one above. */
  private static int fromSight(List<ItemView> views, int step) {
    int index = 0;
    while (index < views.size()
        && views.get(index).element().getBoundingClientRect().getTop() < 0) {
      index++;
    }
    return step > 0 ? index : index - 1;
  }

  private static boolean isInSight(ItemView view) {
    TextRectangle place = view.element().getBoundingClientRect();
    return place.getBottom() > 0 && place.getTop() < Window.current().getInnerHeight();
  }

  @JSBody(
      params = "element",
      script = "element.focus({preventScroll: true}); element.scrollIntoView({block: 'start'});")
  private static native void showAtTop(HTMLElement element);

  /** Returns the key, or an empty string when it belongs to a field or to the browser. */
  @JSBody(
      params = "event",
      script =
          "return event.ctrlKey || event.metaKey || event.altKey || event.target.isContentEditable"
              + " || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) ? '' : event.key || '';")
  private static native String plainKey(Event event);
}
