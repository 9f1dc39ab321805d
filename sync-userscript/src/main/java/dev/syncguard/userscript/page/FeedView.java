package dev.syncguard.userscript.page;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.ReaderState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.teavm.jso.JSBody;
import org.teavm.jso.JSFunctor;
import org.teavm.jso.JSObject;
import org.teavm.jso.dom.html.HTMLElement;

/** All posts and comments on the page, in step with the reader's state. */
final class FeedView {

  /** How long the page may be busy at a time. */
  private static final long TURN_MILLIS = 16;

  private final Feed feed;
  private final ReaderState state;
  private final Marks marks;
  private final Listener listener;
  private final List<ItemView> views = new ArrayList<>();
  /** What is still to be built, the next one at the end. */
  private final List<Pending> pending = new ArrayList<>();

  private final HTMLElement element = Tag.of("div").id("pr-feed").element();
  private boolean stopped;

  /** Hears what the reader does here. */
  interface Listener {
    void changed();

    /** The mark of an item was taken back. */
    void takenBack(ItemView view);
  }

  private record Pending(Feed.Branch branch, HTMLElement place) {}

  FeedView(Feed feed, ReaderState state, Marks marks, Listener listener) {
    this.feed = feed;
    this.state = state;
    this.marks = marks;
    this.listener = listener;
    addPending(feed.posts(), element);
    element.addEventListener("click", event -> clicked((HTMLElement) event.getTarget()));
  }

  /** Builds a part, lets the browser show it and listen to its user, and so on until everything is there. */
  void build(Clocks clocks, Consumer<ItemView> built, Runnable done) {
    Set<String> read = marks.read();
    Map<String, Integer> preferences = state.authorPreferences();
    long from = from();
    long end = clocks.monotonicMillis() + TURN_MILLIS;
    while (!pending.isEmpty() && clocks.monotonicMillis() < end) {
      ItemView view = buildNext();
      show(view, read, preferences, from);
      built.accept(view);
    }
    if (pending.isEmpty()) {
      done.run();
    } else {
      soon(() -> {
        if (!stopped) {
          build(clocks, built, done);
        }
      });
    }
  }

  /** Stops building, because something else is shown. */
  void stop() {
    stopped = true;
  }

  private ItemView buildNext() {
    Pending next = pending.remove(pending.size() - 1);
    Feed.Branch branch = next.branch();
    var view = new ItemView(branch.item());
    views.add(view);
    Tag whole = Tag.of("div", "pr-branch").add(view.element());
    if (!branch.replies().isEmpty()) {
      HTMLElement replies = Tag.of("div", "pr-replies").element();
      whole.add(replies);
      addPending(branch.replies(), replies);
    }
    next.place().appendChild(whole.element());
    return view;
  }

  private void addPending(List<Feed.Branch> branches, HTMLElement place) {
    for (int i = branches.size() - 1; i >= 0; i--) {
      pending.add(new Pending(branches.get(i), place));
    }
  }

  HTMLElement element() {
    return element;
  }

  /** Returns what is on the page already, from top to bottom. */
  List<ItemView> views() {
    return views;
  }

  Feed feed() {
    return feed;
  }

  Marks marks() {
    return marks;
  }

  /** Shows the state as it is now. */
  void refresh() {
    Set<String> read = marks.read();
    Map<String, Integer> preferences = state.authorPreferences();
    long from = from();
    for (ItemView view : views) {
      show(view, read, preferences, from);
    }
  }

  private static void show(
      ItemView view, Set<String> read, Map<String, Integer> preferences, long from) {
    view.setRead(!Feed.isUnread(view.item(), read, from));
    view.setPreference(preferences.getOrDefault(view.item().author(), 0));
  }

  int unread() {
    return feed.unread(marks.read(), from()).size();
  }

  void markRead(List<ItemView> seen) {
    List<String> ids = new ArrayList<>();
    for (ItemView view : seen) {
      if (!view.isRead()) {
        ids.add(view.item().id());
      }
    }
    mark(ids);
  }

  void markAll() {
    List<String> ids = new ArrayList<>();
    feed.unread(marks.read(), from()).forEach(item -> ids.add(item.id()));
    mark(ids);
  }

  private void mark(List<String> ids) {
    if (!ids.isEmpty()) {
      marks.mark(ids);
      changed();
    }
  }

  void toggleRead(ItemView view) {
    if (view.isRead()) {
      marks.takeBack(List.of(view.item().id()));
      listener.takenBack(view);
      changed();
    } else {
      markRead(List.of(view));
    }
  }

  /** Takes back what was marked last. */
  void undo() {
    if (marks.canUndo()) {
      List<String> ids = marks.undo();
      for (ItemView view : views) {
        if (ids.contains(view.item().id())) {
          listener.takenBack(view);
        }
      }
      changed();
    }
  }

  /** Prefers (1) or avoids (-1) an author, or stops doing so when that is how it was. */
  void prefer(String author, int preference) {
    boolean already = state.authorPreferences().getOrDefault(author, 0) == preference;
    state.setAuthorPreference(author, already ? 0 : preference);
    changed();
  }

  private void changed() {
    refresh();
    listener.changed();
  }

  private long from() {
    return Dates.millis(state.loadFrom());
  }

  private void clicked(HTMLElement target) {
    String action = target.getAttribute("data-action");
    if (action == null) {
      return;
    }
    for (ItemView view : views) {
      if (view.has(target)) {
        act(view, action);
        return;
      }
    }
  }

  private void act(ItemView view, String action) {
    if (action.equals("author-up")) {
      prefer(view.item().author(), 1);
    } else if (action.equals("author-down")) {
      prefer(view.item().author(), -1);
    } else if (action.equals("mark-read")) {
      toggleRead(view);
    } else {
      view.toggleShown();
    }
  }

  @JSFunctor
  interface Turn extends JSObject {
    void run();
  }

  /** Comes back as soon as the browser has done what is waiting; a timer would add its own delay. */
  @JSBody(
      params = "turn",
      script = "var c = new MessageChannel(); c.port1.onmessage = function() { c.port1.close();"
          + " turn(); }; c.port2.postMessage(0);")
  private static native void soon(Turn turn);
}
