package dev.syncguard.userscript.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The forum of the demo gives no more than is asked for, as the real ones do: otherwise nobody would ever turn a page. */
class GraphQlTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Pattern ID = Pattern.compile("\"_id\":\"(comment\\d+)\"");

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void commentsComeInPages(boolean older) {
    ForumContent content = new ForumContent().add(new Member("mira-id", "mira", "Mira", null));
    for (int i = 0; i < 9; i++) {
      content.add(new Writing(
          "comment" + i, "mira", START.plusSeconds(i), 1, "post", null, null, "<p>c</p>"));
    }
    GraphQl forum = new GraphQl(content, older);

    assertThat(ask(forum, older, "", 4))
        .as("the newest, as many as asked for")
        .containsExactly("comment8", "comment7", "comment6", "comment5");
    assertThat(ask(forum, older, ",before:\\\"" + START.plusSeconds(5) + "\\\"", 4))
        .as("what comes before the last one")
        .containsExactly("comment4", "comment3", "comment2", "comment1");
    assertThat(ask(forum, older, ",after:\\\"" + START.plusSeconds(6) + "\\\"", 4))
        .as("what came since")
        .containsExactly("comment8", "comment7");
  }

  private static List<String> ask(GraphQl forum, boolean older, String terms, int limit) {
    String arguments = older
        ? "(input:{terms:{view:\\\"recentComments\\\"" + terms + ",limit:" + limit + "}})"
        : "(selector:{recentComments:{" + terms.replaceFirst("^,", "") + "}},limit:" + limit + ")";
    String query = "query GetAllRecentCommentsLite{comments" + arguments + "{results{_id}}}";
    String answer = forum.answer(new GraphQlRequest(query), Optional.empty());
    return ID.matcher(answer)
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }
}
