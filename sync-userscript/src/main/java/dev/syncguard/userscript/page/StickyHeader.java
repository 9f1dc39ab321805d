package dev.syncguard.userscript.page;

import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.SyncStatus;
import dev.syncguard.userscript.browser.PageEvents;
import org.teavm.jso.browser.Window;
import org.teavm.jso.dom.html.HTMLDocument;
import org.teavm.jso.dom.html.HTMLElement;

/** What stays in sight while one reads: how much is left, how sync is doing, and what to do about either. */
final class StickyHeader {

  private static final int TICK_MILLIS = 1_000;

  private final PersistenceSync sync;
  private final HTMLElement unread = Tag.of("span", "pr-unread").element();
  private final HTMLElement label = Tag.of("span").id("pr-sync-status-label").element();
  private final HTMLElement hint = Tag.of("span").id("pr-sync-hint").element();
  private final HTMLElement spoken =
      Tag.of("span").id("pr-sync-spoken").with("role", "status").element();
  private final HTMLElement undo;
  private final HTMLElement syncNow;

  StickyHeader(PersistenceSync sync, Runnable undoLast) {
    this.sync = sync;
    this.undo = Tag.button("pr-undo-btn", "", undoLast).with("hidden", "").element();
    this.syncNow = Tag.button("pr-sync-now-btn", "Sync now", this::syncNow).element();
    HTMLElement bar = HTMLDocument.current().getElementById("pr-sticky-header");
    bar.clear();
    bar.appendChild(Tag.of("div", "pr-bar")
        .add(unread)
        .add(undo)
        .add(label)
        .add(hint)
        .add(spoken)
        .add(syncNow)
        .element());
  }

  /** Keeps the age of the last sync right, for as long as anybody can see it. */
  void keepTicking() {
    Window.setInterval(
        () -> {
          if (!PageEvents.isHidden()) {
            showSync();
          }
        },
        TICK_MILLIS);
    HTMLDocument.current().addEventListener("visibilitychange", event -> showSync());
    Window.current().addEventListener("focus", event -> showSync());
  }

  void showSync() {
    SyncStatus status = sync.status();
    set(label, status.text());
    set(hint, status.hint());
    label.setAttribute("data-kind", status.kind().name());
  }

  private static void set(HTMLElement element, String text) {
    if (!text.equals(element.getTextContent())) {
      element.setTextContent(text);
    }
  }

  /** Tells trouble, and the end of it, to those who listen to the page. The label itself changes far too often for that. */
  void speak(SyncStatus status) {
    if (status.kind() == SyncStatus.Kind.OK) {
      spoken.setTextContent(spoken.getTextContent().isEmpty() ? "" : "Sync: OK");
    } else if (status.kind() != SyncStatus.Kind.STARTING
        && status.kind() != SyncStatus.Kind.SYNCING) {
      spoken.setTextContent(status.text());
    }
  }

  /** Says that nothing is shown to read, so that nothing can be undone. */
  void showNothing() {
    unread.clear();
    undo.setAttribute("hidden", "");
  }

  void show(FeedView view) {
    unread.clear();
    unread.appendChild(
        Tag.of("b").id("pr-unread-count").text(Integer.toString(view.unread())).element());
    unread.appendChild(HTMLDocument.current().createTextNode(" unread"));
    int marked = view.marks().lastStep();
    undo.setTextContent(marked == 1 ? "Undo 1 mark" : "Undo " + marked + " marks");
    if (marked == 0) {
      undo.setAttribute("hidden", "");
    } else {
      undo.removeAttribute("hidden");
    }
  }

  /** Sends what has changed here, then fetches what has changed elsewhere. */
  private void syncNow() {
    syncNow.setAttribute("disabled", "");
    sync.flush(() -> sync.pull(() -> {
      syncNow.removeAttribute("disabled");
      showSync();
    }));
  }
}
