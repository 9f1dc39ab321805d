package dev.syncguard.userscript.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Posts with their comments, newest activity first.
 *
 * <p>A post that is older than the date to load from is there only for the sake of its new comments.
 */
final class Feed {

  private static final Comparator<Item> NEWEST_FIRST =
      Comparator.comparingLong(Item::postedAtMillis).reversed();

  private final List<Branch> posts;
  private final List<Item> items;
  private final long knownUpTo;
  private final boolean more;

  /** An item and what was written below it, newest first. */
  record Branch(Item item, List<Branch> replies) {

    long newest() {
      long newest = item.postedAtMillis();
      for (Branch reply : replies) {
        newest = Math.max(newest, reply.newest());
      }
      return newest;
    }

    @Override
    public String toString() {
      return item.id();
    }

    void each(Consumer<Item> visitor) {
      visitor.accept(item);
      replies.forEach(reply -> reply.each(visitor));
    }
  }

  private Feed(List<Branch> posts, long knownUpTo, boolean more) {
    this.posts = posts;
    this.items = new ArrayList<>();
    this.knownUpTo = knownUpTo;
    this.more = more;
    posts.forEach(post -> post.each(items::add));
  }

  /** Returns the same feed, which lacks nothing up to a moment, and perhaps {@code more} after it. */
  Feed knownUpTo(long moment, boolean andMore) {
    return new Feed(posts, moment, andMore);
  }

  /** Arranges posts and comments. A comment whose post or parent is missing still shows, at the level above. */
  static Feed of(List<Item> posts, List<Item> comments) {
    Map<String, Branch> known = new LinkedHashMap<>();
    List<Branch> roots = new ArrayList<>();
    for (Item post : posts) {
      if (!known.containsKey(post.id())) {
        Branch branch = new Branch(post, new ArrayList<>());
        known.put(post.id(), branch);
        roots.add(branch);
      }
    }
    List<Branch> answers = new ArrayList<>();
    for (Item comment : comments) {
      if (!known.containsKey(comment.id())) {
        Branch branch = new Branch(comment, new ArrayList<>());
        known.put(comment.id(), branch);
        answers.add(branch);
      }
    }
    for (Branch answer : answers) {
      Branch parent = answer.item.parentId() == null ? null : known.get(answer.item.parentId());
      Branch post = known.get(answer.item.postId());
      if (parent != null && !parent.item.id().equals(answer.item.id())) {
        parent.replies.add(answer);
      } else if (post != null) {
        post.replies.add(answer);
      } else {
        roots.add(answer);
      }
    }
    for (Branch branch : known.values()) {
      branch.replies.sort((a, b) -> NEWEST_FIRST.compare(a.item, b.item));
    }
    roots.sort((a, b) -> Long.compare(b.newest(), a.newest()));
    return new Feed(roots, Long.MAX_VALUE - 1, false);
  }

  List<Branch> posts() {
    return posts;
  }

  /** Returns all items in the order in which they are shown. */
  List<Item> items() {
    return items;
  }

  boolean isEmpty() {
    return items.isEmpty();
  }

  int comments() {
    int comments = 0;
    for (Item item : items) {
      comments += item.isPost() ? 0 : 1;
    }
    return comments;
  }

  /** Returns whether there was more than fits on one page. */
  boolean hasMore() {
    return more;
  }

  /** Returns from when on to load once all of this has been read. */
  long next() {
    return Math.min(newest(), knownUpTo) + 1;
  }

  /** Returns when the newest item was written. */
  long newest() {
    long newest = 0;
    for (Item item : items) {
      newest = Math.max(newest, item.postedAtMillis());
    }
    return newest;
  }

  /** Returns when the oldest comment was written, or the oldest post if there is no comment. */
  long oldest() {
    long oldest = Long.MAX_VALUE;
    boolean comments = comments() > 0;
    for (Item item : items) {
      if (comments != item.isPost()) {
        oldest = Math.min(oldest, item.postedAtMillis());
      }
    }
    return oldest;
  }

  /** Returns the items that are neither marked nor older than the date to load from. */
  List<Item> unread(Set<String> read, long fromMillis) {
    List<Item> unread = new ArrayList<>();
    for (Item item : items) {
      if (isUnread(item, read, fromMillis)) {
        unread.add(item);
      }
    }
    return unread;
  }

  static boolean isUnread(Item item, Set<String> read, long fromMillis) {
    return item.postedAtMillis() >= fromMillis && !read.contains(item.id());
  }
}
