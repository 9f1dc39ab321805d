package dev.syncguard.userscript.page;

import org.teavm.jso.browser.Window;
import org.teavm.jso.dom.html.HTMLDocument;
import org.teavm.jso.dom.html.HTMLElement;

/** Short messages that go away by themselves. */
final class Notices {

  private static final int SHOWN_MILLIS = 10_000;

  private Notices() {}

  static void show(String text) {
    HTMLElement notice = Tag.of("div", "pr-notice").text(text).element();
    HTMLDocument.current().getElementById("pr-notices").appendChild(notice);
    Window.setTimeout(notice::delete, SHOWN_MILLIS);
  }
}
