package dev.syncguard.userscript.page;

import dev.syncguard.sync.Http;
import dev.syncguard.sync.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;
import org.teavm.jso.JSObject;
import org.teavm.jso.core.JSArrayReader;

/** Posts and comments of the forum, by its GraphQL interface. */
final class Forum {

  private static final long TIMEOUT_MILLIS = 30_000;

  private static final String USER = "user{_id username displayName slug}";
  private static final String COMMENT =
      "results{_id postedAt htmlBody baseScore pageUrl author postId parentCommentId " + USER
          + " post{_id title pageUrl postedAt baseScore " + USER + "}}";
  private static final String POST =
      "results{_id title pageUrl postedAt baseScore htmlBody " + USER + "}";

  private final Site site;
  private final Http http;

  Forum(Site site, Http http) {
    this.site = site;
    this.http = http;
  }

  /**
   * What to ask for: things written between two moments, both of them included, {@link #ANY} for no bound.
   *
   * @param oldestFirst the order to ask for; not every forum keeps it
   */
  record Span(long from, long to, boolean oldestFirst, int limit) {}

  /** No bound. */
  static final long ANY = -1;

  /**
   * What the forum answered.
   *
   * @param titles the posts that the comments belong to, without their text
   * @param answeredAt when the forum answered, by its own clock and to the second, or {@link #ANY} if it did not say
   */
  record Batch(List<Item> items, List<Item> titles, long answeredAt) {}

  void comments(Span span, Consumer<Batch> found, Consumer<String> failed) {
    String order = ",sortBy:" + quoted(span.oldestFirst ? "oldest" : "newest");
    String terms = bounds(span) + order;
    askComments("GetAllRecentCommentsLite", "allRecentComments", terms, span, found, failed);
  }

  /** Asks for posts, which come newest first. */
  void posts(Span span, Consumer<Batch> found, Consumer<String> failed) {
    askPosts("GetNewPostsFull", "new", bounds(span), span, found, failed);
  }

  /** Loads the newest things that one user wrote. */
  void by(
      String slug,
      int mostComments,
      int mostPosts,
      Consumer<Feed> loaded,
      Consumer<String> failed) {
    String query =
        "users" + arguments("usersProfile", ",slug:" + quoted(slug), 1) + "{results{_id}}";
    ask(
        "GetUserBySlug",
        query,
        (data, answer) -> {
          JSArrayReader<Entry> users = results(data, "users");
          if (users.getLength() == 0) {
            failed.accept("There is no user of that name.");
            return;
          }
          String user = ",userId:" + quoted(users.get(0).getId());
          askComments(
              "GetUserComments",
              "profileComments",
              user,
              new Span(ANY, ANY, false, mostComments),
              comments -> askPosts(
                  "GetUserPosts",
                  "userPosts",
                  user,
                  new Span(ANY, ANY, false, mostPosts),
                  posts -> {
                    List<Item> all = new ArrayList<>(posts.items());
                    all.addAll(comments.titles());
                    loaded.accept(Feed.of(all, comments.items()));
                  },
                  failed),
              failed);
        },
        failed);
  }

  private void askComments(
      String name,
      String view,
      String terms,
      Span span,
      Consumer<Batch> found,
      Consumer<String> failed) {
    String query = "comments" + arguments(view, terms, span.limit) + "{" + COMMENT + "}";
    ask(
        name,
        query,
        (data, answer) -> {
          List<Item> items = new ArrayList<>();
          List<Item> titles = new ArrayList<>();
          JSArrayReader<Entry> comments = results(data, "comments");
          for (int i = 0; i < comments.getLength(); i++) {
            Entry comment = comments.get(i);
            items.add(comment(comment));
            if (comment.getPost() != null) {
              titles.add(post(comment.getPost()));
            }
          }
          found.accept(new Batch(items, titles, date(answer)));
        },
        failed);
  }

  private void askPosts(
      String name,
      String view,
      String terms,
      Span span,
      Consumer<Batch> found,
      Consumer<String> failed) {
    String query = "posts" + arguments(view, terms, span.limit) + "{" + POST + "}";
    ask(
        name,
        query,
        (data, answer) -> {
          List<Item> items = new ArrayList<>();
          JSArrayReader<Entry> posts = results(data, "posts");
          for (int i = 0; i < posts.getLength(); i++) {
            items.add(post(posts.get(i)));
          }
          found.accept(new Batch(items, List.of(), date(answer)));
        },
        failed);
  }

  /** Some views of the forums include the moments themselves and some do not; a millisecond more on each side is safe. */
  private static String bounds(Span span) {
    return (span.from == ANY ? "" : ",after:" + quoted(Dates.iso(span.from - 1)))
        + (span.to == ANY ? "" : ",before:" + quoted(Dates.iso(span.to + 1)));
  }

  private static long date(Http.Answer answer) {
    return answer.date() == null ? ANY : Dates.millis(answer.date());
  }

  /** The two forums run different ages of the same software, which take their arguments differently. */
  private String arguments(String view, String terms, int limit) {
    if (site == Site.EA_FORUM) {
      return "(input:{terms:{view:" + quoted(view) + terms + ",limit:" + limit + "}})";
    }
    String inner = terms.isEmpty() ? "" : terms.substring(1);
    return "(selector:{" + view + ":{" + inner + "}},limit:" + limit + ")";
  }

  /** Hears what the forum answered. */
  private interface Answered {
    void answered(Entry data, Http.Answer answer);
  }

  private void ask(String name, String fields, Answered answered, Consumer<String> failed) {
    String body = request(name, "query " + name + "{" + fields + "}");
    http.send(new Http.Request(Http.Method.POST, "/graphql", body, TIMEOUT_MILLIS), reply -> {
      if (reply instanceof Http.Answer answer) {
        Entry data = answer.status() == 200 ? data(answer.body()) : null;
        if (data != null) {
          answered.answered(data, answer);
        } else {
          failed.accept("The forum refused the request (" + answer.status() + ").");
        }
      } else {
        failed.accept("The forum cannot be reached.");
      }
    });
  }

  private static Item post(Entry post) {
    return new Item(
        post.getId(),
        true,
        post.getId(),
        null,
        Dates.millis(post.getPostedAt()),
        author(post),
        displayName(post),
        (int) post.getBaseScore(),
        text(post.getTitle()),
        SafeHtml.address(post.getPageUrl()),
        text(post.getHtmlBody()));
  }

  private static Item comment(Entry comment) {
    return new Item(
        comment.getId(),
        false,
        text(comment.getPostId()),
        comment.getParentCommentId(),
        Dates.millis(comment.getPostedAt()),
        author(comment),
        displayName(comment),
        (int) comment.getBaseScore(),
        "",
        SafeHtml.address(comment.getPageUrl()),
        text(comment.getHtmlBody()));
  }

  private static String author(Entry entry) {
    Entry user = entry.getUser();
    String name = user == null ? null : user.getUsername();
    if (name == null) {
      name = entry.getAuthor();
    }
    return name == null || name.isEmpty() ? "Unknown Author" : name;
  }

  private static String displayName(Entry entry) {
    Entry user = entry.getUser();
    String name = user == null ? null : user.getDisplayName();
    return name == null || name.isEmpty() ? author(entry) : name;
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  @JSBody(params = "text", script = "return JSON.stringify(text);")
  private static native String quoted(String text);

  @JSBody(
      params = {"name", "query"},
      script = "return JSON.stringify({operationName: name, query: query, variables: {}});")
  private static native String request(String name, String query);

  @JSBody(
      params = "body",
      script =
          "try { var a = JSON.parse(body); return a.errors && a.errors.length ? null : a.data ||"
              + " null; } catch (e) { return null; }")
  private static native @Nullable Entry data(String body);

  @JSBody(
      params = {"data", "name"},
      script = "var c = data[name]; return c && c.results ? c.results : [];")
  private static native JSArrayReader<Entry> results(JSObject data, String name);
}
