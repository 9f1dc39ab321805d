package dev.syncguard.userscript.page;

import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.Site;
import org.teavm.jso.JSBody;
import org.teavm.jso.JSFunctor;
import org.teavm.jso.JSObject;
import org.teavm.jso.browser.Window;
import org.teavm.jso.dom.html.HTMLElement;
import org.teavm.jso.dom.html.HTMLInputElement;

/** The guide, and below it what one needs when something is wrong. */
final class HelpPanel {

  private static final String[][] KEYS = {
    {"j", "k", "next, previous item"},
    {"u", "", "next unread item"},
    {"m", "", "mark as read or unread"},
    {"+", "−", "prefer or avoid the author"},
    {"o", "", "open in the forum"},
    {"?", "", "this guide"},
  };

  private final PersistenceSync sync;
  private final Runnable imported;
  private final HTMLElement element;

  HelpPanel(Site site, PersistenceSync sync, KeyValueStore values, Runnable imported) {
    this.sync = sync;
    this.imported = imported;
    String remembered = site.keyPrefix() + "helpCollapsed";
    Tag panel = Tag.of("details").id("pr-help-section");
    if (!"true".equals(values.get(remembered))) {
      panel.with("open", "");
    }
    panel.on(
        "toggle",
        event -> values.set(remembered, Boolean.toString(!panel.element().hasAttribute("open"))));
    element = panel
        .add(Tag.of("summary").text("Power Reader Guide"), guide(), keys(), tools())
        .element();
  }

  HTMLElement element() {
    return element;
  }

  void toggle() {
    if (element.hasAttribute("open")) {
      element.removeAttribute("open");
    } else {
      element.setAttribute("open", "");
    }
  }

  private static Tag guide() {
    return Tag.of("p")
        .text(
            "What you scroll past turns grey after five seconds; ✓ does it at once. ▲ and ▼ prefer"
                + " or avoid an author. When everything is read, the next visit starts with what"
                + " is new. Read marks, the date and your preferences travel to your other"
                + " devices.");
  }

  private static Tag keys() {
    Tag list = Tag.of("dl", "pr-keys");
    for (String[] key : KEYS) {
      Tag names = Tag.of("dt").add(Tag.of("kbd").text(key[0]));
      if (!key[1].isEmpty()) {
        names.text(" ").add(Tag.of("kbd").text(key[1]));
      }
      list.add(names, Tag.of("dd").text(key[2]));
    }
    return list;
  }

  private Tag tools() {
    Tag toggle = Tag.of("input").id("pr-sync-enabled-toggle").with("type", "checkbox");
    HTMLInputElement box = (HTMLInputElement) toggle.element();
    box.setChecked(sync.isEnabled());
    toggle.on("change", event -> sync.setEnabled(box.isChecked()));
    Tag file = Tag.of("input")
        .id("pr-import-state-file")
        .with("type", "file")
        .with("accept", ".json,application/json")
        .with("hidden", "");
    file.on("change", event -> readFile(file.element(), this::restore));
    return Tag.of("div", "pr-tools")
        .add(
            Tag.of("label", "pr-toggle").add(toggle).text(" Sync enabled"),
            Tag.button("pr-copy-sync-debug-btn", "Copy Sync Debug Summary", this::copySummary),
            Tag.button(
                "pr-export-state-btn",
                "Export",
                () -> download("power-reader.json", sync.exportState())),
            Tag.button("pr-import-state-btn", "Import", () -> file.element().click()),
            file,
            Tag.button("pr-reset-state-btn", "Reset…", HelpPanel::askToReset));
  }

  private void copySummary() {
    copy(
        sync.debugSummary(),
        () -> Notices.show("The summary is in the clipboard."),
        () -> Notices.show("The browser does not let us write to the clipboard."));
  }

  private void restore(String json) {
    try {
      sync.importState(json);
    } catch (IllegalArgumentException e) {
      Notices.show("Nothing was imported: " + e.getMessage());
      return;
    }
    Notices.show("Imported.");
    imported.run();
  }

  private static void askToReset() {
    if (Window.confirm(
        "Forget all read marks, the reading date and author preferences, on all of your"
            + " devices?")) {
      Window.current().getLocation().assign("/reader/reset");
    }
  }

  @JSFunctor
  interface Done extends JSObject {
    void done();
  }

  @JSFunctor
  interface Read extends JSObject {
    void read(String text);
  }

  @JSBody(
      params = {"text", "done", "failed"},
      script = "navigator.clipboard ? navigator.clipboard.writeText(text).then(done, failed) :"
          + " failed();")
  private static native void copy(String text, Done done, Done failed);

  @JSBody(
      params = {"name", "text"},
      script = "var a = document.createElement('a'); a.download = name; a.href ="
          + " URL.createObjectURL(new Blob([text], {type: 'application/json'})); a.click();"
          + " setTimeout(function() { URL.revokeObjectURL(a.href); }, 60000);")
  private static native void download(String name, String text);

  @JSBody(
      params = {"input", "read"},
      script = "if (input.files.length) input.files[0].text().then(function(t) { input.value = '';"
          + " read(t); });")
  private static native void readFile(HTMLElement input, Read read);
}
