package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.Site;
import dev.syncguard.userscript.demo.Writing;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** More than fits on one page: every comment is shown, and none of them twice. */
class PagingIT {

  private static final int COMMENTS = 3_000;
  private static final int POSTS = 240;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @RegisterExtension
  final World world = new World();

  private final Random random = new Random(20260101);

  @ParameterizedTest
  @EnumSource(Site.class)
  void whoReadsToTheEndHasSeenEveryCommentOnce(Site site) {
    List<String> written = write();
    Device device = world.device(world.forum(site));
    device.store(site.keyPrefix() + "power-reader-read-from", START.toString());
    device.store(site.keyPrefix() + "helpCollapsed", "true");
    List<String> shown = new ArrayList<>();
    List<String> posts = new ArrayList<>();

    Tab tab = device.open();
    int pages = 0;
    while (!readPage(tab, shown, posts)) {
      assertThat(++pages).as("pages").isLessThan(8);
    }

    assertThat(pages).as("a forum gives at most 800 at once").isGreaterThanOrEqualTo(4);
    assertThat(shown).doesNotHaveDuplicates();
    assertThat(shown).containsAll(written);
    assertThat(Set.copyOf(posts)).hasSize(POSTS + 4); // those of the sample, and the fresh one
  }

  /** Reads one page, goes on to the next, and returns whether that was the end. */
  private static boolean readPage(Tab tab, List<String> shown, List<String> posts) {
    tab.find("#pr-bottom-message, .pr-info").first().waitFor();
    if (tab.find(".pr-info").count() > 0) {
      return true;
    }
    String first = tab.find(".pr-item").first().getAttribute("data-id");
    shown.addAll(ids(tab, ".pr-comment"));
    posts.addAll(ids(tab, ".pr-post:has(.pr-post-content:not(:empty))"));
    tab.find("#pr-mark-all-btn").click();
    tab.find("#pr-check-now-btn").click();
    tab.item(first).first().waitFor(Tab.GONE);
    return false;
  }

  @SuppressWarnings("unchecked")
  private static List<String> ids(Tab tab, String selector) {
    return (List<String>) tab.page()
        .evaluate(
            "selector => Array.from(document.querySelectorAll(selector), e => e.dataset.id)",
            selector);
  }

  /** Lets people write in bursts, often several in one millisecond, and a post just now. */
  private List<String> write() {
    List<String> comments = new ArrayList<>();
    List<String> posts = new ArrayList<>();
    Instant time = START;
    for (int i = 0; i < COMMENTS; i++) {
      if (i % 3 != 0) {
        time = time.plusMillis(1L + random.nextInt(20_000));
      }
      if (i % (COMMENTS / POSTS) == 0 && posts.size() < POSTS) {
        String id = String.format("pOsTmAnY%09d", posts.size());
        posts.add(id);
        world.content().add(new Writing(id, "mira", time, 1, id, null, "Post " + i, "<p>p</p>"));
      }
      String id = String.format("cOmMeNtMaNy%06d", i);
      String post = posts.get(random.nextInt(posts.size()));
      world.content().add(new Writing(id, "jonas", time, 1, post, null, null, "<p>c</p>"));
      comments.add(id);
    }
    Instant now = Instant.now().minus(2, ChronoUnit.SECONDS);
    world
        .content()
        .add(new Writing(
            "pOsTfReShAbCdEfGh", "tess_v", now, 1, "pOsTfReShAbCdEfGh", null, "Fresh", "<p>f</p>"));
    return comments;
  }
}
