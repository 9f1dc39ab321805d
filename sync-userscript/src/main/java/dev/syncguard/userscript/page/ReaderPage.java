package dev.syncguard.userscript.page;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.Listener;
import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.ReaderState;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncStatus;
import dev.syncguard.sync.SyncedField;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;
import org.teavm.jso.browser.Window;
import org.teavm.jso.dom.html.HTMLElement;

/** The reader: asks for a date, loads what is newer, shows it, and follows what sync brings. */
final class ReaderPage implements Listener, FeedView.Listener {

  private final Site site;
  private final HTMLElement root;
  private final Forum forum;
  private final PersistenceSync sync;
  private final KeyValueStore values;
  private final ReaderState state;
  private final Marks marks;
  private final Clocks clocks;
  private final Header header;
  private final StickyHeader bar;
  private final HelpPanel help;
  private final Keyboard keyboard;
  private final HTMLElement content =
      Tag.of("div").id("pr-content").with("tabindex", "-1").element();
  private @Nullable FeedView view;
  private @Nullable BottomMessage bottom;
  private @Nullable ReadTracker tracker;
  private boolean settingUp;

  ReaderPage(
      Site site,
      HTMLElement root,
      Forum forum,
      PersistenceSync sync,
      KeyValueStore values,
      Clocks clocks) {
    this.site = site;
    this.root = root;
    this.forum = forum;
    this.sync = sync;
    this.values = values;
    this.state = sync.reader();
    this.marks = new Marks(site, state, values);
    this.clocks = clocks;
    this.header = new Header(site);
    this.bar = new StickyHeader(sync, this::undo);
    this.keyboard = new Keyboard(site, values);
    this.help = new HelpPanel(site, sync, values, keyboard, this::begin);
  }

  /** Shows the frame while nothing is known yet. */
  void open() {
    root.clear();
    root.appendChild(header.element());
    root.appendChild(help.element());
    root.appendChild(content);
    loading("Syncing…");
    bar.showSync();
    bar.keepTicking();
    keyboard.listen(help::toggle);
    Window.current().addEventListener("pagehide", event -> leave());
  }

  void setUser(String name) {
    header.setUser(name);
  }

  /** Goes on once the reader's state is as good as it will get for now. */
  void begin() {
    if (state.loadFrom().isEmpty()) {
      settingUp = true;
      chooseDate(value -> {
        state.setLoadFromAndClearRead(value);
        load();
      });
    } else {
      load();
    }
  }

  private void chooseDate(Consumer<String> chosen) {
    header.progress("");
    root.appendChild(help.element()); // the question comes first
    show(SetupPage.show(clocks.wallMillis(), chosen));
    Takeover.ready();
  }

  private void chooseOtherDate() {
    chooseDate(value -> {
      // Between devices the later date wins.
      if (Dates.millis(value) >= Dates.millis(state.loadFrom()) && Dates.millis(value) >= 0) {
        state.setLoadFromAndClearRead(value);
        load();
      } else {
        show(Tag.of("section", "pr-info")
            .add(
                Tag.of("h2").text("Go back to an earlier date?"),
                Tag.of("p")
                    .text("This forgets what you have marked as read, on all of your devices. Your"
                        + " author preferences stay."),
                Tag.of("div", "pr-setup-row")
                    .add(
                        Tag.button("pr-cancel-date-btn", "Keep the date", this::load)
                            .with("autofocus", ""),
                        Tag.button(
                            "pr-confirm-date-btn",
                            "Go back",
                            () -> Restart.at(value, site, sync, values)))));
      }
    });
  }

  private void load() {
    settingUp = false;
    root.insertBefore(help.element(), content);
    loading("Loading posts and comments…");
    String from = state.loadFrom();
    boolean recent = from.equals(ReaderState.LOAD_RECENT);
    RecentFeed.load(
        forum,
        Dates.millis(recent ? "" : from),
        feed -> {
          // Another device must not start with the most recent again and again, so a date takes its
          // place.
          if (recent && !feed.isEmpty()) {
            state.setLoadFrom(Dates.iso(feed.oldest()));
          }
          state.feedLoaded();
          if (moveOn(feed)) {
            load();
          } else {
            show(feed);
          }
        },
        reason -> {
          header.progress("");
          show(Tag.of("div", "pr-error")
              .add(
                  Tag.of("p").text(reason),
                  Tag.button("pr-retry-btn", "Try again", this::load).with("autofocus", "")));
          Takeover.ready();
        });
  }

  private void show(Feed feed) {
    if (feed.isEmpty()) {
      show(EmptyFeed.show(state.loadFrom(), this::load, this::chooseOtherDate));
    }
    var shown = new FeedView(feed, state, marks, this);
    var watch = new ReadTracker(clocks, shown::markRead);
    if (!feed.isEmpty()) {
      Tag all = Tag.of("div");
      if (feed.hasMore()) {
        all.add(Tag.of("div", "pr-warning")
            .text(
                "There is more than fits on one page. The next page starts where this one ends."));
      }
      show(all.add(shown.element()));
    }
    view = shown;
    tracker = watch;
    keyboard.use(shown);
    changed();
    shown.build(clocks, watch::watch, () -> {
      if (!feed.isEmpty()) {
        bottom = new BottomMessage(shown, this::readOn);
        content.appendChild(bottom.element());
      }
      Takeover.ready();
    });
  }

  /** Says how things stand after a change. */
  @Override
  public void changed() {
    if (view != null) {
      header.show(view.feed());
      bar.show(view);
    }
    if (bottom != null) {
      bottom.refresh();
    }
  }

  @Override
  public void takenBack(ItemView item) {
    if (tracker != null) {
      tracker.takenBack(item);
    }
  }

  private void undo() {
    if (view != null) {
      view.undo();
    }
  }

  private void loading(String text) {
    header.progress(text);
    show(Tag.of("div", "pr-loading").with("role", "status").text(text));
  }

  private void show(Tag tag) {
    if (tracker != null) {
      tracker.stop();
    }
    if (view != null) {
      view.stop();
    }
    tracker = null;
    view = null;
    bottom = null;
    bar.showNothing();
    boolean hadFocus = holdsFocus(content);
    content.clear();
    content.appendChild(tag.element());
    Takeover.focus(content);
    if (hadFocus && !holdsFocus(content)) {
      content.focus();
    }
  }

  /** Shows what came after everything that is on the page. */
  private void readOn() {
    moveOn();
    scrollToTop();
    load();
  }

  /**
   * Lets the next visit start after this page, once all of it is read. That happens when the reader leaves it and not
   * before: a date that other devices know cannot be taken back.
   */
  private void moveOn() {
    if (view != null) {
      moveOn(view.feed());
    }
  }

  /** Moves on, and says so to whoever goes back to this page: the browser may have kept it as it is. */
  private void leave() {
    if (view != null && moveOn(view.feed())) {
      view.refresh();
      changed();
    }
  }

  private boolean moveOn(Feed feed) {
    long from = Dates.millis(state.loadFrom());
    if (feed.isEmpty()
        || feed.next() <= from
        || !feed.unread(marks.read(), from).isEmpty()) {
      return false;
    }
    marks.moveTo(feed.next(), feed.items());
    return true;
  }

  @Override
  public void statusChanged(SyncStatus status) {
    bar.showSync();
    bar.speak(status);
    help.showSync();
  }

  @Override
  public void applied(Set<SyncedField> fields) {
    if (settingUp && !state.loadFrom().isEmpty()) {
      load();
    } else if (view != null) {
      view.refresh();
      changed();
    }
  }

  @Override
  public void notice(String text) {
    Notices.show(text);
  }

  @Override
  public void log(Level level, String text) {
    Console.write(level, text);
  }

  @JSBody(script = "window.scrollTo(0, 0);")
  private static native void scrollToTop();

  @JSBody(params = "element", script = "return element.contains(document.activeElement);")
  private static native boolean holdsFocus(HTMLElement element);
}
