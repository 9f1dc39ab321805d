package dev.syncguard.userscript.page;

import org.teavm.jso.JSBody;
import org.teavm.jso.JSFunctor;
import org.teavm.jso.JSObject;
import org.teavm.jso.dom.html.HTMLElement;

/** What goes to the reader's disk and comes from it. */
final class Files {

  private Files() {}

  /** Gets the text of a file. */
  @JSFunctor
  interface Read extends JSObject {
    void read(String text);
  }

  @JSBody(
      params = {"name", "text"},
      script = "var a = document.createElement('a'); a.download = name; a.href ="
          + " URL.createObjectURL(new Blob([text], {type: 'application/json'})); a.click();"
          + " setTimeout(function() { URL.revokeObjectURL(a.href); }, 60000);")
  static native void save(String name, String text);

  /** Reads the file that was chosen in an input. */
  @JSBody(
      params = {"input", "read"},
      script = "if (input.files.length) input.files[0].text().then(function(t) { input.value = '';"
          + " read(t); });")
  static native void chosen(HTMLElement input, Read read);
}
