package dev.syncguard.userscript.page;

import org.teavm.jso.JSBody;
import org.teavm.jso.dom.html.HTMLElement;

/** The end of the feed: how much is left, and what can be done about it. */
final class BottomMessage {

  private final FeedView feed;
  private final HTMLElement text = Tag.of("p").element();
  private final HTMLElement markAll;
  private final HTMLElement readOn;
  private final HTMLElement element;

  BottomMessage(FeedView feed, Runnable onward) {
    this.feed = feed;
    markAll = Tag.button("pr-mark-all-btn", "Mark all as read", feed::markAll).element();
    readOn = Tag.button(
            "pr-check-now-btn",
            feed.feed().hasMore() ? "Load the next comments" : "Check for new comments",
            onward)
        .element();
    element = Tag.of("footer")
        .id("pr-bottom-message")
        .add(text)
        .add(markAll)
        .add(readOn)
        .element();
    refresh();
  }

  HTMLElement element() {
    return element;
  }

  /** Says how things stand now. Whoever was on the button that goes away gets the one that comes. */
  void refresh() {
    int unread = feed.unread();
    boolean allRead = unread == 0;
    text.setTextContent(
        allRead ? "You have read everything up to here." : unread + " unread above.");
    HTMLElement now = allRead ? readOn : markAll;
    HTMLElement before = allRead ? markAll : readOn;
    boolean used = hasFocus(before);
    before.setAttribute("hidden", "");
    now.removeAttribute("hidden");
    if (used) {
      now.focus();
    }
  }

  @JSBody(params = "element", script = "return document.activeElement === element;")
  private static native boolean hasFocus(HTMLElement element);
}
