package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.options.FilePayload;
import dev.syncguard.sync.Site;
import dev.syncguard.userscript.demo.DemoForum;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a reader does with the page. */
class ReadingIT {

  /** The newest of all. */
  private static final String COMMENT = "cOmMeNtGaRdEn0002";

  @RegisterExtension
  final World world = new World();

  @Test
  void postsComeWithTheNewestActivityFirstAndAnswersUnderWhatTheyAnswer() {
    Tab tab = world.device().openFrom(Tab.LONG_AGO).awaitItems();

    assertThat(tab.page()
            .evaluate(
                "Array.from(document.querySelectorAll('.pr-post'), e => e.dataset.id).join()"))
        .isEqualTo("pOsTgArDeNaBcDeFg,pOsTcLoCkSaBcDeFg,pOsTrEaDiNgAbCdEf");
    assertThat(tab.find(".pr-replies .pr-replies [data-id='" + COMMENT + "']").count())
        .isEqualTo(1);
    assertThat(tab.item(COMMENT).getAttribute("data-parent-id")).isEqualTo("cOmMeNtGaRdEn0001");
    assertThat(tab.find("#pr-unread-count").textContent()).isEqualTo("10");
    assertThat(tab.page().title()).startsWith("LessWrong: Power Reader v");
    assertThat(tab.page().evaluate("window.__LW_POWER_READER_READY__")).isEqualTo(true);
  }

  @Test
  void whatWasScrolledPastIsReadFiveSecondsLater() {
    Device device = lowDevice();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    device.freeze(tab);

    tab.scrollSlowly(device, COMMENT);
    tab.scrollTo("pOsTcLoCkSaBcDeFg");
    device.pass(4_999);
    assertThat(tab.isRead(COMMENT)).isFalse();
    device.pass(1);

    assertThat(tab.isRead(COMMENT)).isTrue();
    assertThat(tab.isRead("pOsTcLoCkSaBcDeFg")).isFalse();
    assertThat(tab.find("#pr-unread-count").textContent()).isEqualTo("7");
  }

  @Test
  void whoOvershootsAndComesBackHasNotRead() {
    Device device = lowDevice();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    device.freeze(tab);

    tab.scrollSlowly(device, "cOmMeNtGaRdEn0001");
    device.pass(2_000);
    tab.scrollTo("pOsTgArDeNaBcDeFg");
    device.pass(60_000);

    assertThat(tab.find(".pr-item.read").count()).isZero();
  }

  @Test
  void whatIsInSightAtTheEndOfThePageIsReadToo() {
    Device device = lowDevice();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    device.freeze(tab);

    tab.scrollSlowly(device, "");
    device.pass(5_000);

    assertThat(tab.find("#pr-unread-count").textContent()).isEqualTo("0");
    tab.find("#pr-check-now-btn").waitFor();
  }

  @Test
  @Tag("PR-PERSIST-10")
  void whenEverythingIsReadTheNextVisitStartsAfterIt() {
    Device device = world.device();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();

    tab.find("#pr-mark-all-btn").click();
    assertThat(tab.find("#pr-unread-count").textContent()).isEqualTo("0");
    Instant newest = postedAt(tab, COMMENT);
    assertThat(device.stored(tab, "power-reader-read-from"))
        .as("as long as it can be undone")
        .isEqualTo(Tab.LONG_AGO);
    tab.find("#pr-check-now-btn").click();

    tab.find(".pr-info").waitFor();
    assertThat(device.stored(tab, "power-reader-read-from"))
        .isEqualTo(newest.plusMillis(1).toString());
    assertThat(tab.find(".pr-item").count()).isZero();
  }

  @Test
  void whoMarksEverythingByKeyboardStaysAtTheEnd() {
    Tab tab = world.device().openFrom(Tab.LONG_AGO).awaitItems();
    tab.find("#pr-mark-all-btn").focus();

    tab.mark(COMMENT);
    tab.find("#pr-mark-all-btn").focus();
    tab.page().keyboard().press("Enter");

    tab.find("#pr-check-now-btn").waitFor();
    assertThat(tab.page().evaluate("document.activeElement.id")).isEqualTo("pr-check-now-btn");
  }

  @Test
  void aFeedThatIsReplacedIsNoLongerWatched() {
    Device device = world.device();
    device.context().addInitScript("""
        window.watching = 0;
        for (const [name, step] of [['addEventListener', 1], ['removeEventListener', -1]]) {
          const real = EventTarget.prototype[name];
          EventTarget.prototype[name] = function (kind, ...rest) {
            if (kind === 'scroll' && this === window) window.watching += step;
            return real.call(this, kind, ...rest);
          };
        }
        """);
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    assertThat(tab.page().evaluate("watching")).isEqualTo(1);

    tab.find("#pr-import-state-file")
        .setInputFiles(file("{\"loadFrom\":\"2020-01-02T00:00:00.000Z\"}"));
    tab.find(".pr-notice").waitFor();
    tab.awaitItems();

    assertThat(tab.page().evaluate("watching")).isEqualTo(1);
  }

  @Test
  void aMarkByMistakeCanBeTakenBackHere() {
    Tab tab = world.device().openFrom(Tab.LONG_AGO).awaitItems();
    tab.mark(COMMENT);

    tab.item(COMMENT).locator("[data-action='mark-read']").click();

    tab.awaitUnread(COMMENT);
  }

  @Test
  void theKeyboardReachesEverything() {
    Device device = world.device();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();

    tab.page().keyboard().press("j");
    tab.page().keyboard().press("m");
    tab.awaitRead("pOsTgArDeNaBcDeFg");
    tab.page().keyboard().press("u");
    assertThat(focused(tab)).isEqualTo("cOmMeNtGaRdEn0001");
    tab.page().keyboard().press("k");
    assertThat(focused(tab)).isEqualTo("pOsTgArDeNaBcDeFg");
    tab.page().keyboard().press("j");
    tab.page().keyboard().press("+");
    assertThat(tab.item("cOmMeNtGaRdEn0001").getAttribute("class")).contains("pr-preferred");
    tab.page().keyboard().press("-");
    assertThat(tab.item("cOmMeNtGaRdEn0001").getAttribute("class")).contains("pr-avoided");
    tab.page().keyboard().press("-");
    assertThat(tab.item("cOmMeNtGaRdEn0001").getAttribute("class")).doesNotContain("pr-avoided");
    assertThat(device.stored(tab, "power-reader-author-prefs")).contains("\"jonas\":0");
    tab.page().keyboard().press("?");
    assertThat(tab.find("#pr-help-section[open]").count()).isZero();
    assertThat(
            device.context().waitForPage(() -> tab.page().keyboard().press("o")).url())
        .endsWith(tab.item("cOmMeNtGaRdEn0001").locator(".pr-date").getAttribute("href"));
  }

  @Test
  void theSetUpPageTakesWhateverIsRecentForAnswer() {
    Device device = world.device();
    Tab tab = device.open().awaitSetup();
    tab.find("#startReading").click();
    tab.awaitItems();

    // The date of the oldest comment has taken the place of "recent", so that other devices go on
    // from there.
    assertThat(Instant.parse(device.stored(tab, "power-reader-read-from")))
        .isEqualTo(postedAt(tab, "cOmMeNtReAdInG001"));
    assertThat(tab.find("#pr-unread-count").textContent()).isEqualTo("9");
  }

  @Test
  void aDateMeansItsMidnightWhereTheReaderIs() {
    Device device = world.device(
        world.forum(),
        new Browser.NewContextOptions().setTimezoneId("Asia/Tokyo").setViewportSize(1000, 3000));
    Tab tab = device.open().awaitSetup();

    tab.find("#loadFromDate").fill("2020-01-01");
    tab.find("#startReading").click();
    tab.awaitItems();

    assertThat(device.stored(tab, "power-reader-read-from")).isEqualTo("2019-12-31T15:00:00.000Z");
  }

  @Test
  @Tag("PR-PERSIST-18")
  void theStateCanBeTakenAwayAndBroughtBack() throws IOException {
    Device first = world.device();
    Tab one = first.openFrom(Tab.LONG_AGO).awaitItems();
    one.mark(COMMENT);
    Download download =
        one.page().waitForDownload(() -> one.find("#pr-export-state-btn").click());
    String exported =
        new String(download.createReadStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(exported)
        .contains(COMMENT)
        .doesNotContain("pr_sync_")
        .doesNotContain("aLiCeReAdErAbCdEf");

    Device second = world.device();
    second.login("bob");
    Tab two = second.open().awaitSetup();
    two.find("#pr-import-state-file").setInputFiles(file("{\"nonsense\""));
    two.find(".pr-notice").first().waitFor();
    assertThat(two.find(".pr-notice").first().textContent()).startsWith("Nothing was imported");
    two.find("#pr-import-state-file").setInputFiles(file(exported));

    two.awaitItems().awaitRead(COMMENT);
  }

  @Test
  void theArchiveShowsOneUserAndSendsNothing() {
    Device device = world.device().withClock();
    Tab tab = device.open("/archive?username=jonas").awaitItems();
    device.freeze(tab);
    device.passActively(tab, 720_000);

    assertThat(tab.find(".pr-item.pr-comment .pr-author").allTextContents())
        .containsOnly("Jonas Lindqvist");
    assertThat(device.sent()).isEmpty();
    assertThat(world.content().profileChanges()).isZero();
  }

  @Test
  void otherPagesOfTheForumOnlyGetLinks() {
    Device device = world.device();
    Tab tab = device.open("/users/jonas");

    tab.find(".Header-rightHeaderItems #pr-reader-link[href='/reader']").waitFor();
    assertThat(tab.find("#pr-archive-link").getAttribute("href"))
        .isEqualTo("/archive?username=jonas");
    tab.page().evaluate("document.querySelector('#pr-header-links-container').remove()");
    tab.find("#pr-reader-link").waitFor();
    assertThat(tab.find("h2").first().textContent()).isEqualTo("Posts");
    assertThat(device.sent()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-03")
  void theOtherForumHasItsOwnStateAndItsOwnForm() {
    DemoForum other = world.forum(Site.EA_FORUM);
    Device device = world.device(other);
    device.store("ea-power-reader-read-from", Tab.LONG_AGO);
    Tab tab = device.open().awaitItems();
    tab.mark(COMMENT);

    assertThat(tab.page().title()).startsWith("EA Forum: Power Reader v");
    tab.await("the document", () -> world.remote().nodes("eaf").size() == 1);
    assertThat(world.remote().nodes("lw")).isEmpty();
    assertThat(device.stored(tab, "ea-power-reader-read")).contains(COMMENT);
    assertThat(device.stored(tab, "power-reader-read")).isEmpty();
  }

  @Test
  void aChangeInOneTabShowsInTheOther() {
    Device device = world.device();
    Tab one = device.openFrom(Tab.LONG_AGO).awaitItems();
    Tab two = device.open().awaitItems();

    one.mark(COMMENT);

    two.awaitRead(COMMENT);
  }

  /** Returns a device on whose screen not everything fits. */
  private Device lowDevice() {
    return world
        .device(world.forum(), new Browser.NewContextOptions().setViewportSize(900, 500))
        .withClock();
  }

  private static Instant postedAt(Tab tab, String id) {
    return Instant.ofEpochMilli(Long.parseLong(tab.item(id).getAttribute("data-posted-at-ms")));
  }

  private static Object focused(Tab tab) {
    return tab.page().evaluate("document.activeElement.dataset.id");
  }

  private static FilePayload[] file(String json) {
    return List.of(new FilePayload(
            "state.json", "application/json", json.getBytes(StandardCharsets.UTF_8)))
        .toArray(FilePayload[]::new);
  }
}
