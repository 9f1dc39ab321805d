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
import org.teavm.jso.dom.html.HTMLTextAreaElement;

/** The guide, and below it what one needs when something is wrong. */
final class HelpPanel {

  private static final String[][] KEYS = {
    {"j", "k", "next, previous item"},
    {"u", "", "next unread item"},
    {"m", "", "mark as read or unread"},
    {"+", "−", "prefer or avoid the author"},
    {"o", "", "open in the forum"},
    {"z", "", "undo the last marks"},
    {"?", "", "this guide"},
  };

  private final Site site;
  private final PersistenceSync sync;
  private final Keyboard keyboard;
  private final Runnable imported;
  private final Tag enabled = Tag.of("input").id("pr-sync-enabled-toggle").with("type", "checkbox");
  private final HTMLElement element;

  HelpPanel(
      Site site, PersistenceSync sync, KeyValueStore values, Keyboard keyboard, Runnable imported) {
    this.site = site;
    this.sync = sync;
    this.keyboard = keyboard;
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
        .text("What you scroll past turns grey after five seconds; ✓ does it at once, and takes it"
            + " back. ▲ and ▼ prefer or avoid an author. When everything is read, the next"
            + " visit starts with what is new. Read marks, the date and your preferences travel"
            + " to your other devices.");
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
    showSync();
    enabled.on("change", event -> sync.setEnabled(box(enabled).isChecked()));
    Tag keys = Tag.of("input").id("pr-keys-toggle").with("type", "checkbox");
    box(keys).setChecked(keyboard.isEnabled());
    keys.on("change", event -> keyboard.setEnabled(box(keys).isChecked()));
    Tag file = Tag.of("input")
        .id("pr-import-state-file")
        .with("type", "file")
        .with("accept", ".json,application/json")
        .with("aria-label", "Import a file");
    file.on("change", event -> Files.chosen(file.element(), this::restore));
    return Tag.of("div", "pr-tools")
        .add(
            Tag.of("label", "pr-toggle").add(enabled).text(" Sync enabled"),
            Tag.of("label", "pr-toggle").add(keys).text(" Single-letter keys"),
            Tag.button("pr-copy-sync-debug-btn", "Copy Sync Debug Summary", this::copySummary),
            Tag.button(
                "pr-export-state-btn",
                "Export",
                () -> Files.save("power-reader.json", sync.exportState())),
            Tag.button("pr-reset-state-btn", "Reset…", HelpPanel::reset),
            importing(file));
  }

  private Tag importing(Tag file) {
    Tag text = Tag.of("textarea").id("pr-import-text").with("rows", "3");
    return Tag.of("details", "pr-import")
        .add(
            Tag.of("summary").text("Import…"),
            Tag.of("label")
                .with("for", "pr-import-text")
                .text("Paste an export, also of the original Power Reader, or choose a file:"),
            text,
            Tag.button(
                "pr-import-state-btn",
                "Import the text",
                () -> restore(((HTMLTextAreaElement) text.element()).getValue())),
            file);
  }

  private void copySummary() {
    copy(
        sync.debugSummary(),
        () -> Notices.show("The summary is in the clipboard."),
        () -> Notices.show("The browser does not let us write to the clipboard."));
  }

  private void restore(String json) {
    try {
      sync.importState(OriginalExport.translated(json, site));
    } catch (IllegalArgumentException e) {
      Notices.show("Nothing was imported: " + e.getMessage());
      return;
    }
    Notices.show("Imported.");
    imported.run();
  }

  private static void reset() {
    Window.current().getLocation().assign("/reader/reset");
  }

  /** Lets the switch say what holds, whichever tab has changed it. */
  void showSync() {
    box(enabled).setChecked(sync.isEnabled());
  }

  private static HTMLInputElement box(Tag tag) {
    return (HTMLInputElement) tag.element();
  }

  @JSFunctor
  interface Done extends JSObject {
    void done();
  }

  @JSBody(
      params = {"text", "done", "failed"},
      script = "navigator.clipboard ? navigator.clipboard.writeText(text).then(done, failed) :"
          + " failed();")
  private static native void copy(String text, Done done, Done failed);
}
