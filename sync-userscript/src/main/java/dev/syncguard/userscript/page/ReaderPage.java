package dev.syncguard.userscript.page;

import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.Listener;
import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.ReaderState;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncStatus;
import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.Time;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;
import org.teavm.jso.dom.html.HTMLElement;

/** The reader: asks for a date, loads what is newer, shows it, and follows what sync brings. */
final class ReaderPage implements Listener {

  private final HTMLElement root;
  private final Forum forum;
  private final ReaderState state;
  private final Time time;
  private final Header header;
  private final HelpPanel help;
  private final Keyboard keyboard;
  private final HTMLElement content = Tag.of("div").id("pr-content").element();
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
      Time time) {
    this.root = root;
    this.forum = forum;
    this.state = sync.reader();
    this.time = time;
    this.header = new Header(site, sync);
    this.help = new HelpPanel(site, sync, values, this::begin);
    this.keyboard = new Keyboard(help::toggle);
  }

  /** Shows the frame while nothing is known yet. */
  void open() {
    root.clear();
    root.appendChild(header.element());
    root.appendChild(help.element());
    root.appendChild(content);
    loading("Syncing…");
    header.showSync();
    header.keepTicking();
    keyboard.listen();
  }

  void setUser(String name) {
    header.setUser(name);
  }

  /** Goes on once the reader's state is as good as it will get for now. */
  void begin() {
    if (state.loadFrom().isEmpty()) {
      settingUp = true;
      header.progress("");
      show(SetupPage.show(value -> {
        state.setLoadFromAndClearRead(value);
        load();
      }));
      Takeover.ready();
    } else {
      load();
    }
  }

  private void load() {
    settingUp = false;
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
          show(feed);
        },
        reason -> {
          header.progress("");
          show(Tag.of("div", "pr-error")
              .add(Tag.of("p").text(reason), Tag.button("pr-retry-btn", "Try again", this::load)));
          Takeover.ready();
        });
  }

  private void show(Feed feed) {
    var shown = new FeedView(feed, state, this::changed);
    var end = new BottomMessage(shown, this::goOn);
    view = shown;
    bottom = end;
    if (feed.isEmpty()) {
      show(EmptyFeed.show(state.loadFrom(), this::goOn));
    } else {
      Tag all = Tag.of("div");
      if (feed.hasMore()) {
        all.add(Tag.of("div", "pr-warning")
            .text(
                "There is more than fits on one page. The next page starts where this one ends."));
      }
      show(all.add(shown.element()).add(end.element()));
      tracker = new ReadTracker(shown.views(), time, shown::markRead);
      tracker.listen();
    }
    keyboard.use(shown);
    changed();
    Takeover.ready();
  }

  private void changed() {
    if (view != null && bottom != null) {
      header.show(view);
      bottom.refresh();
    }
  }

  private void loading(String text) {
    header.progress(text);
    show(Tag.of("div", "pr-loading").with("role", "status").text(text));
  }

  private void show(Tag tag) {
    if (tracker != null) {
      tracker.stop();
      tracker = null;
    }
    content.clear();
    content.appendChild(tag.element());
  }

  /** Shows what came after everything that is on the page. */
  private void goOn() {
    scrollToTop();
    load();
  }

  @JSBody(script = "window.scrollTo(0, 0);")
  private static native void scrollToTop();

  @Override
  public void statusChanged(SyncStatus status) {
    header.showSync();
    header.speak(status);
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
}
