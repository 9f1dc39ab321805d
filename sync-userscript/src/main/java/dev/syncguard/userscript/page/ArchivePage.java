package dev.syncguard.userscript.page;

import dev.syncguard.sync.Site;
import dev.syncguard.userscript.browser.ForumHttp;
import org.teavm.jso.dom.html.HTMLElement;

/** All that one user wrote, newest first. Nothing is marked and nothing is synced here. */
final class ArchivePage {

  private static final int MOST_COMMENTS = 800;
  private static final int MOST_POSTS = 100;

  private ArchivePage() {}

  static void show(Site site, HTMLElement root, String username) {
    root.clear();
    root.appendChild(Tag.of("header", "pr-header")
        .add(
            Tag.of("h1")
                .add(Tag.link("/", Takeover.siteName(site)).with("class", "pr-site-home-link"))
                .text(" Power Reader: archive of " + username),
            Tag.of("div", "pr-status").add(Tag.link("/reader", "To the reader")))
        .element());
    HTMLElement content = Tag.of("div", "pr-archive").text("Loading…").element();
    root.appendChild(content);
    new Forum(site, new ForumHttp())
        .by(
            username,
            MOST_COMMENTS,
            MOST_POSTS,
            feed -> {
              content.clear();
              for (Item item : feed.items()) {
                content.appendChild(new ItemView(item).element());
              }
              Takeover.ready();
            },
            reason -> {
              content.clear();
              content.appendChild(Tag.of("div", "pr-error").text(reason).element());
              Takeover.ready();
            });
  }
}
