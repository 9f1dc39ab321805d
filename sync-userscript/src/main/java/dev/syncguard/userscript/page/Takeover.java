package dev.syncguard.userscript.page;

import dev.syncguard.sync.Site;
import dev.syncguard.userscript.browser.BuildSettings;
import org.teavm.jso.JSBody;
import org.teavm.jso.JSFunctor;
import org.teavm.jso.JSObject;
import org.teavm.jso.dom.html.HTMLDocument;
import org.teavm.jso.dom.html.HTMLElement;

/** Turns whatever the forum was about to show into an empty page of ours. */
final class Takeover {

  private static final String ROOT = "power-reader-root";

  private Takeover() {}

  /** Goes on with the root of the new page. */
  interface Begin {
    void begin(HTMLElement root);
  }

  /** Stops the forum's page and passes on the root of the new one. */
  static void run(Site site, Begin then) {
    if (HTMLDocument.current().getElementById(ROOT) != null) {
      OtherReader.watch(null); // it was here first
      return;
    }
    stop(() -> then.begin(build(site)));
  }

  private static HTMLElement build(Site site) {
    HTMLDocument document = HTMLDocument.current();
    document.setTitle(siteName(site) + ": Power Reader v" + BuildSettings.version());
    document.getHead().appendChild(Tag.of("style").text(BuildSettings.css()).element());
    HTMLElement root = Tag.of("main")
        .id(ROOT)
        .add(Tag.of("div", "pr-loading").with("role", "status").text("Loading…"))
        .element();
    document.getBody().appendChild(Tag.of("header").id("pr-sticky-header").element());
    document.getBody().appendChild(root);
    document
        .getBody()
        .appendChild(Tag.of("div").id("pr-notices").with("role", "status").element());
    document
        .getBody()
        .appendChild(Tag.of("div")
            .id("lw-power-reader-ready-signal")
            .with("style", "display: none")
            .element());
    OtherReader.watch(root);
    return root;
  }

  static String siteName(Site site) {
    return site == Site.EA_FORUM ? "EA Forum" : "LessWrong";
  }

  /** Says that the page is complete. */
  @JSBody(
      script = "window.__LW_POWER_READER_READY__ = true;"
          + " document.getElementById('lw-power-reader-ready-signal').style.display = 'block';")
  static native void ready();

  /** Gives the focus to what asks for it, unless the reader is busy elsewhere. */
  @JSBody(
      params = "place",
      script =
          "var e = place.querySelector('[autofocus]'), a = document.activeElement; if (e && (!a"
              + " || a === document.body || place.contains(a))) e.focus();")
  static native void focus(HTMLElement place);

  @JSFunctor
  interface Stopped extends JSObject {
    void stopped();
  }

  /**
   * The browser may still be reading the forum's page, and shows nothing at all if it is stopped before it came to a
   * body. So whatever it still adds is taken out, above all scripts, and at the body it is stopped. That stops requests
   * too, so ours begin afterwards.
   */
  @JSBody(
      params = "stopped",
      script = "var html = document.documentElement; if (!html) { html ="
          + " document.createElement('html'); document.appendChild(html); } while"
          + " (html.attributes.length) html.removeAttribute(html.attributes[0].name); var head"
          + " = document.createElement('head'), body = document.createElement('body'), done ="
          + " false; html.lang = 'en'; html.replaceChildren(head, body); var view ="
          + " document.createElement('meta'); view.name = 'viewport'; view.content ="
          + " 'width=device-width, initial-scale=1'; head.appendChild(view); function stop() {"
          + " if (!done) { done = true; window.stop(); stopped(); } } new"
          + " MutationObserver(function(changes) { changes.forEach(function(c) {"
          + " c.addedNodes.forEach(function(n) { if (n.nodeName === 'SCRIPT') n.remove(); else"
          + " if (n.parentNode === html && n !== head && n !== body) { n.remove(); if"
          + " (n.nodeName === 'BODY') stop(); } }); }); }).observe(document, {childList: true,"
          + " subtree: true}); if (document.readyState === 'loading')"
          + " document.addEventListener('DOMContentLoaded', stop); else stop();")
  private static native void stop(Stopped stopped);
}
