package dev.syncguard.userscript.page;

import dev.syncguard.sync.ReaderState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.teavm.jso.dom.html.HTMLElement;

/** All posts and comments on the page, in step with the reader's state. */
final class FeedView {

  private final Feed feed;
  private final ReaderState state;
  private final Runnable changed;
  private final List<ItemView> views = new ArrayList<>();
  private final HTMLElement element;

  /** Creates the view; {@code changed} runs after each change that the reader makes here. */
  FeedView(Feed feed, ReaderState state, Runnable changed) {
    this.feed = feed;
    this.state = state;
    this.changed = changed;
    Tag list = Tag.of("div").id("pr-feed");
    for (Feed.Branch post : feed.posts()) {
      list.add(branch(post));
    }
    element = list.element();
    element.addEventListener("click", event -> clicked((HTMLElement) event.getTarget()));
    refresh();
  }

  private Tag branch(Feed.Branch branch) {
    var view = new ItemView(branch.item());
    views.add(view);
    view.mark().addEventListener("click", event -> toggleRead(view));
    Tag whole = Tag.of("div", "pr-branch").add(view.element());
    if (!branch.replies().isEmpty()) {
      Tag replies = Tag.of("div", "pr-replies");
      branch.replies().forEach(reply -> replies.add(branch(reply)));
      whole.add(replies);
    }
    return whole;
  }

  HTMLElement element() {
    return element;
  }

  List<ItemView> views() {
    return views;
  }

  Feed feed() {
    return feed;
  }

  /** Shows the state as it is now. */
  void refresh() {
    Set<String> read = state.read();
    Map<String, Integer> preferences = state.authorPreferences();
    long from = from();
    for (ItemView view : views) {
      view.setRead(!Feed.isUnread(view.item(), read, from));
      view.setPreference(preferences.getOrDefault(view.item().author(), 0));
    }
  }

  int unread() {
    int unread = 0;
    for (ItemView view : views) {
      unread += view.isRead() ? 0 : 1;
    }
    return unread;
  }

  /** Marks what was read, and when that was all, goes on from there the next time. */
  void markRead(List<ItemView> seen) {
    List<String> ids = new ArrayList<>();
    for (ItemView view : seen) {
      if (!view.isRead()) {
        ids.add(view.item().id());
      }
    }
    if (ids.isEmpty()) {
      return;
    }
    state.markRead(ids);
    refresh();
    if (unread() == 0) {
      advance();
    }
    changed.run();
  }

  void toggleRead(ItemView view) {
    if (view.isRead()) {
      state.forgetRead(List.of(view.item().id()));
      refresh();
      changed.run();
    } else {
      markRead(List.of(view));
    }
  }

  /** Prefers (1) or avoids (-1) an author, or stops doing so when that is how it was. */
  void prefer(String author, int preference) {
    boolean already = state.authorPreferences().getOrDefault(author, 0) == preference;
    state.setAuthorPreference(author, already ? 0 : preference);
    refresh();
    changed.run();
  }

  private void advance() {
    state.setLoadFrom(Dates.iso(feed.next()));
    // The date says it all now, and marks are kept for a limited number of items only.
    List<String> ids = new ArrayList<>();
    for (Item item : feed.items()) {
      if (item.postedAtMillis() < feed.next()) {
        ids.add(item.id());
      }
    }
    state.forgetRead(ids);
  }

  private long from() {
    return Dates.millis(state.loadFrom());
  }

  private void clicked(HTMLElement target) {
    String action = target.getAttribute("data-action");
    if ("author-up".equals(action)) {
      prefer(target.getAttribute("data-author"), 1);
    } else if ("author-down".equals(action)) {
      prefer(target.getAttribute("data-author"), -1);
    }
  }
}
