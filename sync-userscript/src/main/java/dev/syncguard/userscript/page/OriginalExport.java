package dev.syncguard.userscript.page;

import dev.syncguard.sync.Site;
import org.teavm.jso.JSBody;

/** What the Power Reader that this one is compatible with puts into the clipboard: its stored values, as they are. */
final class OriginalExport {

  private OriginalExport() {}

  /** Returns the state in our own form; any other text comes back as it is. */
  static String translated(String text, Site site) {
    return translated(text, site.keyPrefix() + "power-reader-");
  }

  @JSBody(
      params = {"text", "prefix"},
      script = "try { var o = JSON.parse(text), s = {}; if (!(prefix + 'read' in o)) return text;"
          + " if (o[prefix + 'read']) s.read = JSON.parse(o[prefix + 'read']); if (o[prefix +"
          + " 'read-from']) s.loadFrom = o[prefix + 'read-from']; if (o[prefix + 'author-prefs'])"
          + " s.authorPrefs = JSON.parse(o[prefix + 'author-prefs']); return JSON.stringify(s); }"
          + " catch (e) { return text; }")
  private static native String translated(String text, String prefix);
}
