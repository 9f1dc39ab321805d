package dev.syncguard.userscript.page;

import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;
import org.teavm.jso.JSFunctor;
import org.teavm.jso.JSObject;
import org.teavm.jso.browser.Window;
import org.teavm.jso.dom.html.HTMLDocument;
import org.teavm.jso.dom.html.HTMLElement;

/** The ways into the reader from the forum's own header. */
final class ForumLinks {

  private ForumLinks() {}

  /** Puts the links into the header now, and again whenever the forum draws its header anew. */
  static void keepInHeader() {
    onChange(ForumLinks::put);
    put();
  }

  private static void put() {
    HTMLElement header = first(".Header-rightHeaderItems");
    if (header == null || first("#pr-header-links-container") != null) {
      return;
    }
    Tag links = Tag.of("span")
        .id("pr-header-links-container")
        .with("style", "display: inline-flex; gap: 8px; margin: 0 12px");
    links.add(chip("pr-reader-link", "/reader", "Power Reader"));
    String path = Window.current().getLocation().getPathName();
    if (path.startsWith("/users/") && path.length() > 7) {
      String slug = path.substring(7);
      int end = slug.indexOf('/');
      links.add(chip(
          "pr-archive-link",
          "/archive?username=" + (end < 0 ? slug : slug.substring(0, end)),
          "Archive"));
    }
    HTMLElement search = first(".Header-rightHeaderItems .SearchBar-root");
    if (search == null) {
      header.insertBefore(links.element(), header.getFirstChild());
    } else {
      search.getParentNode().insertBefore(links.element(), search.getNextSibling());
    }
  }

  private static Tag chip(String id, String address, String text) {
    return Tag.link(address, text)
        .id(id)
        .with(
            "style",
            "padding: 3px 10px; border: 1px solid currentColor; border-radius: 12px; font-size:"
                + " 13px; text-decoration: none; color: inherit; white-space: nowrap");
  }

  private static @Nullable HTMLElement first(String selector) {
    return HTMLDocument.current().querySelector(selector);
  }

  @JSFunctor
  interface Changed extends JSObject {
    void changed();
  }

  @JSBody(
      params = "changed",
      script = "new MutationObserver(function() { changed(); }).observe(document, {childList: true,"
          + " subtree: true});")
  private static native void onChange(Changed changed);
}
