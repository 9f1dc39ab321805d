package dev.syncguard.userscript.page;

import org.teavm.jso.JSBody;
import org.teavm.jso.dom.html.HTMLElement;

/** One post or comment on the page. */
final class ItemView {

  private final Item item;
  private final HTMLElement element;
  private final HTMLElement body;
  private final Tag mark = action("mark-read", "✓", "Mark as read");
  private final Tag show =
      button("show", "Show", "Show what it says").with("aria-expanded", "true");
  private final Tag up;
  private final Tag down;
  private boolean read;
  private int preference;
  private boolean shown = true;

  ItemView(Item item) {
    this.item = item;
    up = action("author-up", "▲", "Prefer " + item.displayName());
    down = action("author-down", "▼", "Avoid " + item.displayName());
    body = Tag.of("div", item.isPost() ? "pr-post-content" : "pr-comment-body").element();
    SafeHtml.append(item, body);
    element = (item.isPost() ? post() : comment())
        .with("data-id", item.id())
        .with("data-post-id", item.postId())
        .with("data-parent-id", item.parentId() == null ? "" : item.parentId())
        .with("data-posted-at-ms", Long.toString(item.postedAtMillis()))
        .with("tabindex", "-1")
        .element();
  }

  private Tag post() {
    return Tag.of("article", "pr-item pr-post")
        .add(
            Tag.of("header", "pr-post-header")
                .add(
                    Tag.of("h2").add(Tag.link(item.url(), item.title())),
                    meta("pr-post-meta", Tag.of("span", "pr-author").text(item.displayName()))),
            Tag.of("div", "pr-post-body-container").add(body));
  }

  private Tag comment() {
    // Where one comment ends and the next begins is a heading for those who cannot see it.
    Tag author = Tag.of("h3", "pr-author").text(item.displayName());
    return Tag.of("article", "pr-item pr-comment")
        .add(meta("pr-comment-meta", author))
        .add(body);
  }

  private Tag meta(String classes, Tag author) {
    return Tag.of("div", classes)
        .add(
            author.with("data-author", item.author()),
            Tag.of("span", "pr-new").text("new"),
            up.with("data-author", item.author()),
            down.with("data-author", item.author()),
            Tag.of("span", "pr-score").with("title", "Karma").text(Integer.toString(item.score())),
            Tag.link(item.url(), Dates.shown(item.postedAtMillis())).with("class", "pr-date"),
            show,
            mark);
  }

  /** Returns a button that is on or off. */
  private static Tag action(String name, String sign, String label) {
    return button(name, sign, label).with("aria-pressed", "false");
  }

  private static Tag button(String name, String sign, String label) {
    return Tag.of("button", "pr-action")
        .with("type", "button")
        .with("data-action", name)
        .with("aria-label", label)
        .with("title", label)
        .text(sign);
  }

  Item item() {
    return item;
  }

  HTMLElement element() {
    return element;
  }

  /** Returns whether an element is part of this item. */
  boolean has(HTMLElement part) {
    return contains(element, part);
  }

  @JSBody(
      params = {"whole", "part"},
      script = "return whole.contains(part);")
  private static native boolean contains(HTMLElement whole, HTMLElement part);

  boolean isRead() {
    return read;
  }

  void setRead(boolean read) {
    if (this.read != read) {
      this.read = read;
      toggle(element, "read", read);
      mark.with("aria-pressed", Boolean.toString(read));
    }
  }

  void setPreference(int preference) {
    if (this.preference != preference) {
      this.preference = preference;
      toggle(element, "pr-preferred", preference > 0);
      toggle(element, "pr-avoided", preference < 0);
      up.with("aria-pressed", Boolean.toString(preference > 0));
      down.with("aria-pressed", Boolean.toString(preference < 0));
      show(preference >= 0);
    }
  }

  /** Shows or hides the text of an author whom the reader avoids. */
  void toggleShown() {
    show(!shown);
  }

  private void show(boolean whole) {
    shown = whole;
    toggle(element, "pr-collapsed", !whole);
    show.with("aria-expanded", Boolean.toString(whole));
    // Nothing in a text of which only the beginning is shown can be reached by accident.
    if (whole) {
      body.removeAttribute("inert");
    } else {
      body.setAttribute("inert", "");
    }
  }

  private static void toggle(HTMLElement element, String name, boolean on) {
    if (on) {
      element.getClassList().add(name);
    } else {
      element.getClassList().remove(name);
    }
  }
}
