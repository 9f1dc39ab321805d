package dev.syncguard.sync.replay;

import dev.syncguard.sync.ForumIdentity;
import dev.syncguard.sync.Http;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What servers say, as one word of a recording and back. */
final class Replies {

  private Replies() {}

  static String line(Http.Reply reply) {
    return reply instanceof Http.Answer answer
        ? Words.join(answer.status(), answer.body(), answer.date())
        : Words.join(((Http.Failure) reply).cause());
  }

  static Http.Reply http(String line) {
    List<@Nullable String> words = Words.split(line);
    return words.size() == 1
        ? new Http.Failure(Http.Cause.valueOf(words.get(0)))
        : new Http.Answer(Integer.parseInt(words.get(0)), words.get(1), words.get(2));
  }

  static String line(ForumIdentity.Answer answer) {
    if (answer instanceof ForumIdentity.User user) {
      return Words.join("user", user.id(), user.overrides());
    }
    if (answer instanceof ForumIdentity.Anonymous) {
      return "anonymous";
    }
    if (answer instanceof ForumIdentity.Nameless) {
      return "nameless";
    }
    return answer instanceof ForumIdentity.Denied ? "denied" : "unknown";
  }

  static ForumIdentity.Answer forum(String line) {
    List<@Nullable String> words = Words.split(line);
    return switch (words.get(0)) {
      case "user" -> new ForumIdentity.User(words.get(1), words.get(2));
      case "anonymous" -> new ForumIdentity.Anonymous();
      case "nameless" -> new ForumIdentity.Nameless();
      case "denied" -> new ForumIdentity.Denied();
      default -> new ForumIdentity.Unknown();
    };
  }
}
