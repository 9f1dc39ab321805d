package dev.syncguard.userscript.demo;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The part of the forums' GraphQL interface that the userscript uses. */
final class GraphQl {

  private final ForumContent content;
  private final boolean older;

  /** Creates the interface; the {@code older} software of one of the forums takes its arguments differently. */
  GraphQl(ForumContent content, boolean older) {
    this.content = content;
    this.older = older;
  }

  /** Answers a request of the given member, or of a guest. */
  String answer(GraphQlRequest request, Optional<Member> by) {
    return switch (request.operation()) {
      case "GetCurrentUser" -> data("currentUser", by.map(GraphQl::profile).orElse("null"));
      case "UpdateSyncSecret" -> update(request, by);
      case "GetAllRecentCommentsLite" -> list(request, "comments", recent(request, false));
      case "GetNewPostsFull" -> list(request, "posts", recent(request, true));
      case "GetUserBySlug" ->
        request
            .argument("slug")
            .flatMap(content::member)
            .map(
                member -> data("users", "{\"results\":[{\"_id\":" + Text.json(member.id()) + "}]}"))
            .orElse(data("users", "{\"results\":[]}"));
      case "GetUserComments" -> list(request, "comments", content.by(userOf(request), false));
      case "GetUserPosts" -> list(request, "posts", content.by(userOf(request), true));
      default -> error("Unknown operation: " + request.operation());
    };
  }

  private String update(GraphQlRequest request, Optional<Member> by) {
    Optional<String> overrides = request.object("abTestOverrides");
    Optional<String> id = request.argument("id");
    if (by.isEmpty() || overrides.isEmpty() || !id.equals(by.map(Member::id))) {
      return error("not authorized to change this user");
    }
    return content
        .changeOverrides(by.get().id(), overrides.get())
        .map(member -> data("updateUser", "{\"data\":" + profile(member) + "}"))
        .orElseThrow();
  }

  /**
   * Both forums leave out a comment of exactly the moments that are asked for, and of posts only the later one. The older
   * software knows one order.
   */
  private List<Writing> recent(GraphQlRequest request, boolean posts) {
    Optional<Instant> after = request.moment("after");
    Optional<Instant> before = request.moment("before");
    List<Writing> found = content.newestFirst(posts).stream()
        .filter(writing -> after
            .map(moment -> writing.postedAt().isAfter(posts ? moment.minusNanos(1) : moment))
            .orElse(true))
        .filter(
            writing -> before.map(moment -> writing.postedAt().isBefore(moment)).orElse(true))
        .collect(Collectors.toCollection(ArrayList::new));
    if (!older && request.argument("sortBy").equals(Optional.of("oldest"))) {
      Collections.reverse(found);
    }
    return found;
  }

  private String userOf(GraphQlRequest request) {
    String id = request.argument("userId").orElse("");
    return content.members().stream()
        .filter(member -> member.id().equals(id))
        .map(Member::username)
        .findFirst()
        .orElse("");
  }

  private String list(GraphQlRequest request, String name, List<Writing> writings) {
    if (request.isOlderForm() != older) {
      return error("Unknown argument on field \"" + name + "\"");
    }
    return data(
        name,
        "{\"results\":"
            + writings.stream()
                .limit(request.limit())
                .map(this::writing)
                .collect(Collectors.joining(",", "[", "]"))
            + "}");
  }

  private String writing(Writing writing) {
    String common = "\"_id\":" + Text.json(writing.id())
        + ",\"postedAt\":" + Text.json(writing.postedAt().toString())
        + ",\"baseScore\":" + writing.score()
        + ",\"pageUrl\":" + Text.json("/posts/" + writing.postId())
        + ",\"htmlBody\":" + Text.json(writing.html())
        + ",\"user\":" + content.member(writing.author()).map(GraphQl::author).orElse("null");
    if (writing.isPost()) {
      return "{" + common + ",\"title\":" + Text.json(writing.title()) + "}";
    }
    return "{" + common + ",\"postId\":" + Text.json(writing.postId())
        + ",\"parentCommentId\":" + Text.json(writing.parentId())
        + ",\"post\":" + content.post(writing.postId()).map(this::context).orElse("null") + "}";
  }

  private String context(Writing post) {
    return writing(new Writing(
        post.id(),
        post.author(),
        post.postedAt(),
        post.score(),
        post.postId(),
        null,
        post.title(),
        ""));
  }

  private static String author(Member member) {
    return "{\"_id\":" + Text.json(member.id()) + ",\"username\":" + Text.json(member.username())
        + ",\"displayName\":" + Text.json(member.displayName()) + ",\"slug\":"
        + Text.json(member.slug()) + "}";
  }

  private static String profile(Member member) {
    @Nullable String overrides = member.overrides();
    String author = author(member);
    return author.substring(0, author.length() - 1)
        + ",\"karma\":42,\"reactPaletteStyle\":null,\"abTestOverrides\":"
        + (overrides == null ? "null" : overrides) + "}";
  }

  private static String data(String name, String value) {
    return "{\"data\":{" + Text.json(name) + ":" + value + "}}";
  }

  private static String error(String message) {
    return "{\"errors\":[{\"message\":" + Text.json(message) + "}],\"data\":null}";
  }
}
