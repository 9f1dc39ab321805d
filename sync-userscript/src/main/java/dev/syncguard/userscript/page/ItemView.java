package dev.syncguard.userscript.page;

import org.teavm.jso.dom.html.HTMLElement;

/** One post or comment on the page. */
final class ItemView {

  private final Item item;
  private final HTMLElement element;
  private final HTMLElement body;
  private final HTMLElement mark;
  private final Tag up;
  private final Tag down;
  private boolean read;
  private int preference;

  ItemView(Item item) {
    this.item = item;
    up = arrow("author-up", "▲", "Prefer " + item.displayName());
    down = arrow("author-down", "▼", "Avoid " + item.displayName());
    mark = action("mark-read", "✓", "Mark as read").element();
    body = Tag.of("div", item.isPost() ? "pr-post-content" : "pr-comment-body").element();
    SafeHtml.append(item.html(), body);
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
                .add(Tag.of("h2").add(Tag.link(item.url(), item.title())), meta("pr-post-meta")),
            Tag.of("div", "pr-post-body-container").add(body));
  }

  private Tag comment() {
    return Tag.of("article", "pr-item pr-comment").add(meta("pr-comment-meta")).add(body);
  }

  private Tag meta(String classes) {
    return Tag.of("div", classes)
        .add(
            Tag.of("span", "pr-author").text(item.displayName()),
            up,
            down,
            Tag.of("span", "pr-score").with("title", "Karma").text(Integer.toString(item.score())),
            Tag.link(item.url(), Dates.shown(item.postedAtMillis())).with("class", "pr-date"))
        .add(mark);
  }

  private Tag arrow(String name, String sign, String label) {
    return action(name, sign, label).with("data-author", item.author());
  }

  private static Tag action(String name, String sign, String label) {
    return Tag.of("button", "pr-action")
        .with("type", "button")
        .with("data-action", name)
        .with("aria-label", label)
        .with("title", label)
        .with("aria-pressed", "false")
        .text(sign);
  }

  Item item() {
    return item;
  }

  HTMLElement element() {
    return element;
  }

  /** Returns the part that has to be scrolled past before the item counts as read. */
  HTMLElement body() {
    return body;
  }

  /** Returns the button that marks the item. */
  HTMLElement mark() {
    return mark;
  }

  boolean isRead() {
    return read;
  }

  void setRead(boolean read) {
    if (this.read != read) {
      this.read = read;
      toggle(element, "read", read);
      mark.setAttribute("aria-pressed", Boolean.toString(read));
    }
  }

  void setPreference(int preference) {
    if (this.preference != preference) {
      this.preference = preference;
      toggle(element, "pr-preferred", preference > 0);
      toggle(element, "pr-avoided", preference < 0);
      up.with("aria-pressed", Boolean.toString(preference > 0));
      down.with("aria-pressed", Boolean.toString(preference < 0));
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
