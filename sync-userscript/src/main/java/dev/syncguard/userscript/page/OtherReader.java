package dev.syncguard.userscript.page;

import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;
import org.teavm.jso.JSFunctor;
import org.teavm.jso.JSObject;
import org.teavm.jso.dom.html.HTMLDocument;
import org.teavm.jso.dom.html.HTMLElement;

/** Notices when another Power Reader is at work on the same page: each would undo what the other one does. */
final class OtherReader {

  private OtherReader() {}

  /** Tells the reader as soon as there is another root than ours, or ours is gone. */
  static void watch(@Nullable HTMLElement ours) {
    onOther(ours, OtherReader::tell);
  }

  private static void tell() {
    HTMLDocument.current()
        .getBody()
        .appendChild(Tag.of("div", "pr-warning")
            .with("role", "alert")
            .with(
                "style",
                "position:fixed;inset:auto 16px 16px;z-index:9999;padding:16px;border:2px solid"
                    + " #b84c33;background:#fff;color:#222;font:16px sans-serif")
            .text("Two Power Readers are active on this page, and each undoes what the other one"
                + " does. Switch one of them off in your userscript manager and load the page again."
                + " An export of the other one can be imported in the guide of this one.")
            .element());
  }

  /** Hears that there is another one. */
  @JSFunctor
  interface Found extends JSObject {
    void found();
  }

  @JSBody(
      params = {"ours", "found"},
      script =
          "var watch = new MutationObserver(look); function look() { if (!document.body) return;"
              + " var r = document.querySelectorAll('#power-reader-root'), other = ours &&"
              + " !ours.isConnected; for (var i = 0; i < r.length; i++) other = other || r[i] !== ours;"
              + " if (other) { watch.disconnect(); setTimeout(found, 0); } }"
              + " watch.observe(document, {childList: true, subtree: true}); look();")
  private static native void onOther(@Nullable HTMLElement ours, Found found);
}
