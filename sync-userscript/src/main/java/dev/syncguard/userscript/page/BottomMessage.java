package dev.syncguard.userscript.page;

import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;
import org.teavm.jso.dom.html.HTMLElement;

/** The end of the feed: how much is left, and what can be done about it. */
final class BottomMessage {

  private final FeedView feed;
  private final Runnable goOn;
  private final HTMLElement text = Tag.of("p").element();
  private final HTMLElement element =
      Tag.of("footer").id("pr-bottom-message").add(text).element();
  private @Nullable HTMLElement button;
  private boolean allRead;

  BottomMessage(FeedView feed, Runnable goOn) {
    this.feed = feed;
    this.goOn = goOn;
    refresh();
  }

  HTMLElement element() {
    return element;
  }

  /** Says how things stand now. The button stays as it is for as long as it does the same, and whoever is on it stays. */
  void refresh() {
    int unread = feed.unread();
    text.setTextContent(
        unread == 0 ? "You have read everything up to here." : unread + " unread above.");
    HTMLElement before = button;
    if (before != null && allRead == (unread == 0)) {
      return;
    }
    allRead = unread == 0;
    HTMLElement now = allRead
        ? Tag.button("pr-check-now-btn", next(), goOn).element()
        : Tag.button("pr-mark-all-btn", "Mark all as read", () -> feed.markRead(feed.views()))
            .element();
    boolean used = before != null && hasFocus(before);
    if (before != null) {
      before.delete();
    }
    element.appendChild(now);
    if (used) {
      now.focus();
    }
    button = now;
  }

  private String next() {
    return feed.feed().hasMore() ? "Load the next comments" : "Check for new comments";
  }

  @JSBody(params = "element", script = "return document.activeElement === element;")
  private static native boolean hasFocus(HTMLElement element);
}
