package dev.syncguard.userscript.page;

import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.ReaderState;
import dev.syncguard.sync.ResetOutcome;
import dev.syncguard.sync.Site;
import org.teavm.jso.browser.Window;
import org.teavm.jso.dom.html.HTMLElement;

/** What stands between a link to the reset and the reset: anybody can write a link. */
final class ResetPage {

  /** Why a reset changed nothing. */
  static final String REFUSED =
      "Another of your devices runs a newer version of this script, and what"
          + " it stored would be lost. Nothing has changed. Update the script on this device, then try"
          + " again.";

  private ResetPage() {}

  static void show(Site site, HTMLElement root, PersistenceSync sync, KeyValueStore values) {
    root.clear();
    root.appendChild(Tag.of("section", "pr-setup")
        .add(
            Tag.of("h1").text("Reset Power Reader?"),
            Tag.of("p")
                .text("This forgets " + losses(sync.reader())
                    + ", here and on all of your devices. It cannot be undone; an export can be"
                    + " imported again."),
            Tag.of("div", "pr-setup-row")
                .add(
                    Tag.button("pr-cancel-reset-btn", "Keep everything", ResetPage::back)
                        .with("autofocus", ""),
                    Tag.button(
                        "pr-export-state-btn",
                        "Export first",
                        () -> Files.save("power-reader.json", sync.exportState())),
                    Tag.button(
                        "pr-confirm-reset-btn",
                        "Reset everything",
                        () -> reset(site, root, sync, values))))
        .element());
    Takeover.focus(root);
    Takeover.ready();
  }

  private static void back() {
    Window.current().getLocation().assign("/reader");
  }

  private static void reset(
      Site site, HTMLElement root, PersistenceSync sync, KeyValueStore values) {
    root.clear();
    root.appendChild(
        Tag.of("h1", "pr-loading").with("role", "status").text("Resetting…").element());
    root.appendChild(Tag.of("p", "pr-quiet pr-centred")
        .text("Your marks, date and preferences are emptied here and on your other devices.")
        .element());
    sync.reset(outcome -> {
      if (isDone(outcome)) {
        values.remove(Marks.key(site));
        Window.current().getLocation().replace("/reader");
      } else {
        root.clear();
        root.appendChild(Tag.of("section", "pr-setup")
            .add(
                Tag.of("h1").text("Nothing was reset"),
                Tag.of("p").with("role", "alert").text(REFUSED),
                Tag.link("/reader", "Back to the reader"))
            .element());
      }
    });
  }

  /** Returns whether this device is empty now; the others may have to wait for the network. */
  static boolean isDone(ResetOutcome outcome) {
    return outcome == ResetOutcome.EVERYWHERE || outcome == ResetOutcome.PENDING;
  }

  private static String losses(ReaderState state) {
    long from = Dates.millis(state.loadFrom());
    return count(state.read().size(), "read mark") + ", "
        + (from < 0 ? "" : "your place at " + Dates.shown(from) + " and ")
        + count(state.authorPreferences().size(), "author preference");
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
