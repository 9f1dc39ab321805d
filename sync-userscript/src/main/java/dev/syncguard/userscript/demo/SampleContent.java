package dev.syncguard.userscript.demo;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Two readers, some writers, and a week of posts and comments. */
public final class SampleContent {

  private static final List<String> LATECOMERS = List.of(
      "<p>Coming to this late: has anybody tried it with more than one reader?</p>",
      "<p>I changed my mind about the second half after sleeping on it.</p>",
      "<p>Small correction: the example works out only if both clocks are read before the request"
          + " is sent.</p>");

  private SampleContent() {}

  /** Returns a forum whose newest comment was written an hour before {@code now}. */
  public static ForumContent before(Instant now) {
    var content = new ForumContent();
    content
        .add(new Member("aLiCeReAdErAbCdEf", "alice", "Alice", null))
        .add(new Member("bObReAdErAbCdEfGh", "bob", "Bob", null))
        .add(new Member("mIrAwRiTeRaBcDeFg", "mira", "Mira Okafor", null))
        .add(new Member("jOnAsWrItErAbCdEf", "jonas", "Jonas Lindqvist", null))
        .add(new Member("tEsSwRiTeRaBcDeFg", "tess_v", "Tess", null));

    post(
        content,
        now,
        "pOsTcLoCkSaBcDeFg",
        "mira",
        97,
        64,
        "Two clocks are not a clock and a spare",
        """
        <p>A device has two clocks, and most bugs with time begin when a program mistakes one for the other. The first
        tells the hour. It can be wrong by years, and it jumps when somebody corrects it. The second only counts; it
        cannot tell the hour, but it never goes backwards, and the difference of two of its readings is a duration you
        may trust.</p>
        <p>So ask the first clock only when you have to <em>say</em> something about time, in a letter or in a log, and
        the second whenever you have to <em>wait</em>. That rule alone removed most of the flaky tests I ever had:</p>
        <pre><code>long started = ticker.read();
        while (ticker.read() - started &lt; patience) {
          attempt();
        }</code></pre>
        <p>The rest went away when I stopped comparing the hours of two machines at all. If order matters, let the place
        where both meet hand out numbers. A number that grows is a better witness than any clock.</p>
        <blockquote><p>A man with one watch knows what time it is. A man with two should ask a third party.</p></blockquote>
        """);
    comment(content, now, "cOmMeNtClOcK00001", "jonas", 60, 21, "pOsTcLoCkSaBcDeFg", null, """
        <p>The rule breaks down when a laptop sleeps: on some systems the counting clock sleeps with it, on others it does
        not. A pause of five minutes may then take a night. I ended up treating every long wait as a <em>hint</em>, and
        checking the state again when it ends.</p>
        """);
    comment(
        content,
        now,
        "cOmMeNtClOcK00002",
        "mira",
        52,
        15,
        "pOsTcLoCkSaBcDeFg",
        "cOmMeNtClOcK00001",
        """
        <p>Agreed, and a wait that ends early is the same case seen from the other side. If being woken for nothing does no
        harm, neither does the sleep.</p>
        """);
    comment(content, now, "cOmMeNtClOcK00003", "tess_v", 3, 8, "pOsTcLoCkSaBcDeFg", null, """
        <p>I like the last paragraph best. We replaced "whoever wrote last" by a counter, and the support mails about lost
        edits stopped within a week. Nobody's clock had been off by more than two seconds.</p>
        """);

    post(
        content,
        now,
        "pOsTgArDeNaBcDeFg",
        "tess_v",
        71,
        38,
        "What a garden taught me about maintenance",
        """
        <p>Nobody calls weeding a failure of the garden. It is what having a garden means. Yet we speak of maintenance as if
        it were the price of having built something badly.</p>
        <p>Three things I now do differently:</p>
        <ol><li>I leave paths. A bed you cannot reach does not get weeded, and code that nobody can run alone does not get
        fixed.</li><li>I plant less than fits.</li><li>I write down what I pulled out, and why, because it will come
        back.</li></ol>
        """);
    comment(content, now, "cOmMeNtGaRdEn0001", "jonas", 40, 12, "pOsTgArDeNaBcDeFg", null, """
        <p>The third point deserves a post of its own. Half of our design documents are about plants that somebody has
        already pulled out once.</p>
        """);
    comment(
        content,
        now,
        "cOmMeNtGaRdEn0002",
        "mira",
        1,
        5,
        "pOsTgArDeNaBcDeFg",
        "cOmMeNtGaRdEn0001",
        """
        <p>We keep a list of rejected ideas with one line each: what it promised, and the day it died. New people read it
        first. It is the most honest page we have.</p>
        """);

    post(content, now, "pOsTrEaDiNgAbCdEf", "jonas", 118, 51, "Reading everything, slowly", """
        <p>For a year I have read every comment on this site, in the order in which it was written. It takes about forty
        minutes a day. I expected to become faster; instead I became calmer. When nothing can be missed, nothing has to be
        chased.</p>
        <p>The trick, if there is one, is to have one place where you stopped, and to trust it.</p>
        """);
    comment(content, now, "cOmMeNtReAdInG001", "tess_v", 110, 17, "pOsTrEaDiNgAbCdEf", null, """
        <p>How do you handle two machines? My phone and my desk never agree about where I stopped.</p>
        """);
    comment(
        content,
        now,
        "cOmMeNtReAdInG002",
        "jonas",
        20,
        9,
        "pOsTrEaDiNgAbCdEf",
        "cOmMeNtReAdInG001",
        """
        <p>They have to tell each other. What was read anywhere was read; the later date wins. Those two sentences are
        nearly the whole protocol.</p>
        """);
    return content;
  }

  /** Lets somebody answer the newest post. */
  static void somebodyWrites(ForumContent content, Instant now) {
    List<Writing> comments = content.newestFirst(false);
    List<Writing> posts = content.newestFirst(true);
    if (posts.isEmpty()) {
      return;
    }
    int number = comments.size();
    content.add(new Writing(
        "cOmMeNtLaTe" + String.format("%06d", number),
        "jonas",
        now,
        1,
        posts.get(0).id(),
        null,
        null,
        LATECOMERS.get(number % LATECOMERS.size())));
  }

  private static void post(
      ForumContent content,
      Instant now,
      String id,
      String author,
      int hoursAgo,
      int score,
      String title,
      String html) {
    content.add(new Writing(id, author, ago(now, hoursAgo), score, id, null, title, html));
  }

  private static void comment(
      ForumContent content,
      Instant now,
      String id,
      String author,
      int hoursAgo,
      int score,
      String postId,
      @Nullable String parentId,
      String html) {
    content.add(new Writing(id, author, ago(now, hoursAgo), score, postId, parentId, null, html));
  }

  private static Instant ago(Instant now, int hours) {
    return now.truncatedTo(ChronoUnit.MILLIS).minus(Duration.ofHours(hours));
  }
}
