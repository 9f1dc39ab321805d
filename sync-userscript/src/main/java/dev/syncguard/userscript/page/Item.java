package dev.syncguard.userscript.page;

import org.jspecify.annotations.Nullable;

/**
 * A post or a comment.
 *
 * @param parentId the comment that this one answers, if any
 * @param author the name under which preferences for the author are kept
 * @param html the body as the forum sent it, not yet fit to be shown
 */
record Item(
    String id,
    boolean isPost,
    String postId,
    @Nullable String parentId,
    long postedAtMillis,
    String author,
    String displayName,
    int score,
    String title,
    String url,
    String html) {

  @Override
  public String toString() {
    return id;
  }
}
