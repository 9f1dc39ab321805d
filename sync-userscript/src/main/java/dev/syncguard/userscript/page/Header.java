package dev.syncguard.userscript.page;

import dev.syncguard.sync.Site;
import dev.syncguard.userscript.browser.BuildSettings;
import org.teavm.jso.dom.html.HTMLElement;

/** The name of the page and one line about what is on it: dates, counts, and who is reading. */
final class Header {

  private final HTMLElement facts = Tag.of("div", "pr-status").element();
  private final HTMLElement element;
  private String user = "";

  Header(Site site) {
    element = Tag.of("header", "pr-header")
        .add(Tag.of("h1")
            .add(Tag.link("/", Takeover.siteName(site)).with("class", "pr-site-home-link"))
            .text(" Power Reader ")
            .add(Tag.of("small").text("v" + BuildSettings.version())))
        .add(facts)
        .element();
  }

  HTMLElement element() {
    return element;
  }

  void setUser(String name) {
    user = name;
  }

  void progress(String text) {
    facts.setTextContent(text);
  }

  void show(Feed feed) {
    facts.clear();
    if (!feed.isEmpty()) {
      fact(Dates.shown(feed.oldest()) + " – " + Dates.shown(feed.newest()));
    }
    fact(feed.comments() + " comments");
    fact((feed.items().size() - feed.comments()) + " posts");
    fact(user.isEmpty() ? "not logged in" : user);
  }

  private void fact(String text) {
    facts.appendChild(Tag.of("span", "pr-fact").text(text).element());
  }
}
