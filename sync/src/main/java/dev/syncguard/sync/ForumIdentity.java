package dev.syncguard.sync;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who is reading, as the forum knows them, and the one place in their profile where the sync secret is kept.
 *
 * <p>Answers come later, once, on the engine's thread. {@link GraphQlForum} is the real one.
 */
public interface ForumIdentity {

  /** Asks who is logged in. */
  void currentUser(Consumer<Answer> callback);

  /**
   * Replaces the user's {@code abTestOverrides} by the JSON object {@code overrides} and answers what the forum has
   * stored then.
   */
  void updateOverrides(String userId, String overrides, Consumer<Answer> callback);

  /** What the forum said. */
  sealed interface Answer {}

  /**
   * Somebody is logged in.
   *
   * @param overrides {@code abTestOverrides} as a JSON object, or null when the forum said null without an error
   */
  record User(String id, @Nullable String overrides) implements Answer {
    @Override
    public String toString() {
      return "User";
    }
  }

  /** Nobody is logged in. */
  record Anonymous() implements Answer {}

  /** Somebody is logged in, but the forum did not say who. */
  record Nameless() implements Answer {}

  /** The forum refuses to show {@code abTestOverrides} to this user. */
  record Denied() implements Answer {}

  /** The question failed as a whole, so nothing is known. */
  record Unknown() implements Answer {}
}
