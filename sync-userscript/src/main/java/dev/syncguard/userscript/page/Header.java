package dev.syncguard.userscript.page;

import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncStatus;
import dev.syncguard.userscript.browser.BuildSettings;
import dev.syncguard.userscript.browser.PageEvents;
import org.teavm.jso.browser.Window;
import org.teavm.jso.dom.html.HTMLDocument;
import org.teavm.jso.dom.html.HTMLElement;

/** The name of the page and one line about everything: dates, counts, who is reading, how sync is doing. */
final class Header {

  private static final int TICK_MILLIS = 1_000;

  private final PersistenceSync sync;
  private final HTMLElement facts = Tag.of("span", "pr-facts").element();
  private final HTMLElement label = Tag.of("span").id("pr-sync-status-label").element();
  private final HTMLElement spoken =
      Tag.of("span").id("pr-sync-spoken").with("role", "status").element();
  private final HTMLElement element;
  private String user = "";

  Header(Site site, PersistenceSync sync) {
    this.sync = sync;
    element = Tag.of("header", "pr-header")
        .add(
            Tag.of("h1")
                .add(Tag.link("/", Takeover.siteName(site)).with("class", "pr-site-home-link"))
                .text(" Power Reader ")
                .add(Tag.of("small").text("v" + BuildSettings.version())),
            Tag.of("div", "pr-status").add(facts).add(label).add(spoken))
        .element();
  }

  HTMLElement element() {
    return element;
  }

  /** Keeps the age of the last sync right, for as long as anybody can see it. */
  void keepTicking() {
    Window.setInterval(
        () -> {
          if (!PageEvents.isHidden()) {
            showSync();
          }
        },
        TICK_MILLIS);
    HTMLDocument.current().addEventListener("visibilitychange", event -> showSync());
    Window.current().addEventListener("focus", event -> showSync());
  }

  void showSync() {
    SyncStatus status = sync.status();
    if (!status.text().equals(label.getTextContent())) {
      label.setTextContent(status.text());
    }
    label.setAttribute("data-kind", status.kind().name());
    label.setTitle(status.hint());
  }

  /** Tells trouble, and the end of it, to those who listen to the page. The label itself changes far too often for that. */
  void speak(SyncStatus status) {
    switch (status.kind()) {
      case STARTING, SYNCING -> {}
      case OK -> spoken.setTextContent(spoken.getTextContent().isEmpty() ? "" : "Sync: OK");
      default -> spoken.setTextContent(status.text());
    }
  }

  void setUser(String name) {
    user = name;
  }

  void progress(String text) {
    facts.setTextContent(text);
  }

  void show(FeedView view) {
    Feed feed = view.feed();
    facts.clear();
    if (!feed.isEmpty()) {
      fact("📅 " + Dates.shown(feed.oldest()) + " – " + Dates.shown(feed.newest()));
    }
    facts.appendChild(Tag.of("span", "pr-fact")
        .text("🔴 ")
        .add(Tag.of("b").id("pr-unread-count").text(Integer.toString(view.unread())))
        .text(" unread")
        .element());
    fact("💬 " + feed.comments() + " comments");
    fact("📄 " + (feed.items().size() - feed.comments()) + " posts");
    fact("👤 " + (user.isEmpty() ? "not logged in" : user));
  }

  private void fact(String text) {
    facts.appendChild(Tag.of("span", "pr-fact").text(text).element());
  }
}
