package dev.syncguard.userscript.demo;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A post, or a comment on one.
 *
 * @param title of a post; null for a comment
 * @param parentId the comment that this one answers, if any
 */
public record Writing(
    String id,
    String author,
    Instant postedAt,
    int score,
    String postId,
    @Nullable String parentId,
    @Nullable String title,
    String html) {

  boolean isPost() {
    return title != null;
  }
}
