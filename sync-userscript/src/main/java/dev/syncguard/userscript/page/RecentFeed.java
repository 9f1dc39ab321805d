package dev.syncguard.userscript.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Loads one page of what was written since a date, oldest first, and knows up to when nothing is missing from it.
 *
 * <p>Posts and comments come by different questions. When there are more comments than fit, or when somebody writes
 * between two answers, a page can hold things that are newer than others which it lacks. So a page ends at a moment:
 * everything up to there is on it, and the next one starts there.
 */
final class RecentFeed {

  private static final int MOST_COMMENTS = 800;
  private static final int MOST_POSTS = 100;

  private static final Comparator<Item> OLDEST_FIRST =
      Comparator.comparingLong(Item::postedAtMillis);

  private final Forum forum;
  private final long from;
  private final Consumer<Feed> loaded;
  private final Consumer<String> failed;
  private final Map<String, Item> comments = new LinkedHashMap<>();
  private final List<Item> titles = new ArrayList<>();
  private final Map<String, Item> posts = new LinkedHashMap<>();
  private long knownUpTo = Forum.ANY;
  private boolean more;

  private RecentFeed(Forum forum, long from, Consumer<Feed> loaded, Consumer<String> failed) {
    this.forum = forum;
    this.from = from;
    this.loaded = loaded;
    this.failed = failed;
  }

  /** Loads what was written since a moment, or the most recent things when it is {@link Forum#ANY}. */
  static void load(Forum forum, long from, Consumer<Feed> loaded, Consumer<String> failed) {
    var feed = new RecentFeed(forum, from, loaded, failed);
    var span = new Forum.Span(from, Forum.ANY, from != Forum.ANY, MOST_COMMENTS);
    forum.comments(span, feed::firstComments, failed);
  }

  private void firstComments(Forum.Batch batch) {
    knownUpTo = batch.answeredAt();
    add(batch);
    if (from == Forum.ANY || batch.items().size() < MOST_COMMENTS) {
      loadPosts();
    } else if (isOldestFirst(batch.items())) {
      cut();
    } else {
      loadOlder(batch.items());
    }
  }

  /** A forum that gives the newest first, whatever one asks for, is asked until it has come to the oldest. */
  private void loadOlder(List<Item> newer) {
    long oldest = newer.get(newer.size() - 1).postedAtMillis();
    forum.comments(
        new Forum.Span(from, oldest, false, MOST_COMMENTS),
        batch -> {
          int before = comments.size();
          add(batch);
          if (batch.items().size() == MOST_COMMENTS && comments.size() > before) {
            loadOlder(batch.items());
          } else {
            cut();
          }
        },
        failed);
  }

  private void add(Forum.Batch batch) {
    for (Item comment : batch.items()) {
      if (comment.postedAtMillis() >= from) {
        comments.put(comment.id(), comment);
      }
    }
    titles.addAll(batch.titles());
  }

  /** Keeps the oldest comments. Where the page ends, those of one moment stay together and move to the next. */
  private void cut() {
    List<Item> sorted = new ArrayList<>(comments.values());
    sorted.sort(OLDEST_FIRST);
    int end = Math.min(MOST_COMMENTS, sorted.size());
    long last = sorted.get(end - 1).postedAtMillis();
    if (sorted.get(0).postedAtMillis() < last) {
      while (sorted.get(end - 1).postedAtMillis() == last) {
        end--;
      }
      last--;
    }
    comments.clear();
    sorted.subList(0, end).forEach(comment -> comments.put(comment.id(), comment));
    knownUpTo = last;
    more = true;
    loadPosts();
  }

  private void loadPosts() {
    long since = from == Forum.ANY && !comments.isEmpty() ? oldestComment() : from;
    loadPosts(since, more ? knownUpTo : Forum.ANY);
  }

  private void loadPosts(long since, long until) {
    forum.posts(
        new Forum.Span(since, until, false, MOST_POSTS),
        batch -> {
          int before = posts.size();
          long oldest = until;
          for (Item post : batch.items()) {
            oldest = post.postedAtMillis();
            if (oldest >= since && (until == Forum.ANY || oldest <= until)) {
              posts.put(post.id(), post);
            }
          }
          if (since != Forum.ANY && batch.items().size() == MOST_POSTS && posts.size() > before) {
            loadPosts(since, oldest);
          } else {
            finish();
          }
        },
        failed);
  }

  private void finish() {
    List<Item> all = new ArrayList<>(posts.values());
    all.addAll(titles); // a post that is there as a whole already wins
    Feed feed = Feed.of(all, new ArrayList<>(comments.values()));
    loaded.accept(feed.knownUpTo(knownUpTo == Forum.ANY ? newestComment() : knownUpTo, more));
  }

  private long oldestComment() {
    long oldest = Long.MAX_VALUE;
    for (Item comment : comments.values()) {
      oldest = Math.min(oldest, comment.postedAtMillis());
    }
    return oldest;
  }

  private long newestComment() {
    long newest = from;
    for (Item comment : comments.values()) {
      newest = Math.max(newest, comment.postedAtMillis());
    }
    return newest;
  }

  private static boolean isOldestFirst(List<Item> items) {
    return items.get(0).postedAtMillis() <= items.get(items.size() - 1).postedAtMillis();
  }
}
