package dev.syncguard.userscript.page;

import dev.syncguard.sync.Http;
import dev.syncguard.sync.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;
import org.teavm.jso.JSObject;
import org.teavm.jso.core.JSArrayReader;

/** Posts and comments of the forum, by its GraphQL interface. */
final class Forum {

  /** How many comments one page shows at most. */
  static final int MOST_COMMENTS = 800;

  private static final int MOST_POSTS = 100;
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

  /** What came, or why nothing did. */
  interface Loaded {
    void feed(Feed feed);

    void failed(String reason);
  }

  /** Loads what was written after a date, or the most recent comments and their posts when {@code after} is null. */
  void recent(@Nullable String after, Loaded loaded) {
    String order = ",sortBy:" + quoted(after == null ? "newest" : "oldest");
    String comments =
        list("comments", "allRecentComments", since(after) + order, MOST_COMMENTS, COMMENT);
    load(
        "GetAllRecentCommentsLite",
        comments,
        "GetNewPostsFull",
        found -> {
          // Older posts come with their comments, but only as titles.
          String from = after == null && !found.isEmpty()
              ? Dates.iso(Feed.of(List.of(), found).oldest())
              : after;
          return list("posts", "new", since(from), MOST_POSTS, POST);
        },
        loaded);
  }

  /** Loads what one user wrote. */
  void by(String slug, Loaded loaded) {
    String query =
        "users" + arguments("usersProfile", ",slug:" + quoted(slug), 1) + "{results{_id}}";
    ask(
        "GetUserBySlug",
        query,
        data -> {
          JSArrayReader<Entry> users = results(data, "users");
          if (users.getLength() == 0) {
            loaded.failed("There is no user of that name.");
            return;
          }
          String user = ",userId:" + quoted(users.get(0).getId());
          String comments = list("comments", "profileComments", user, MOST_COMMENTS, COMMENT);
          load(
              "GetUserComments",
              comments,
              "GetUserPosts",
              found -> list("posts", "userPosts", user, MOST_POSTS, POST),
              loaded);
        },
        loaded::failed);
  }

  private void load(
      String commentsName,
      String comments,
      String postsName,
      Function<List<Item>, String> posts,
      Loaded loaded) {
    ask(
        commentsName,
        comments,
        someComments -> {
          List<Item> answers = new ArrayList<>();
          List<Item> titles = new ArrayList<>();
          JSArrayReader<Entry> found = results(someComments, "comments");
          for (int i = 0; i < found.getLength(); i++) {
            Entry comment = found.get(i);
            answers.add(comment(comment));
            if (comment.getPost() != null) {
              titles.add(post(comment.getPost()));
            }
          }
          ask(
              postsName,
              posts.apply(answers),
              somePosts -> {
                List<Item> whole = new ArrayList<>();
                JSArrayReader<Entry> entries = results(somePosts, "posts");
                for (int i = 0; i < entries.getLength(); i++) {
                  whole.add(post(entries.get(i)));
                }
                whole.addAll(titles); // a post that is there as a whole already wins
                loaded.feed(Feed.of(whole, answers));
              },
              loaded::failed);
        },
        loaded::failed);
  }

  private static String since(@Nullable String after) {
    return after == null ? "" : ",after:" + quoted(after);
  }

  private String list(String collection, String view, String terms, int limit, String fields) {
    return collection + arguments(view, terms, limit) + "{" + fields + "}";
  }

  /** The two forums run different ages of the same software, which take their arguments differently. */
  private String arguments(String view, String terms, int limit) {
    if (site == Site.EA_FORUM) {
      return "(input:{terms:{view:" + quoted(view) + terms + ",limit:" + limit + "}})";
    }
    String inner = terms.isEmpty() ? "" : terms.substring(1);
    return "(selector:{" + view + ":{" + inner + "}},limit:" + limit + ")";
  }

  private void ask(String name, String fields, Consumer<Entry> answered, Consumer<String> failed) {
    String body = request(name, "query " + name + "{" + fields + "}");
    http.send(new Http.Request(Http.Method.POST, "/graphql", body, TIMEOUT_MILLIS), reply -> {
      if (reply instanceof Http.Answer answer) {
        Entry data = answer.status() == 200 ? data(answer.body()) : null;
        if (data != null) {
          answered.accept(data);
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
