package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.BoundingBox;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nothing counts as read by accident, and whatever was marked can be taken back. */
class UndoIT {

  private static final String COMMENT = "cOmMeNtGaRdEn0002";

  @RegisterExtension
  final World world = new World();

  @Test
  void aKeyThatGoesBackFromTheFirstItemMarksNothing() {
    Device device = lowDevice();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    device.freeze(tab);
    device.pass(5_000);

    tab.page().keyboard().press("k");
    device.pass(60_000);

    assertThat(unread(tab)).isEqualTo("10");
  }

  @Test
  void aJumpOverThePageDoesNotCountAsReading() {
    Device device = lowDevice();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    device.freeze(tab);
    device.pass(5_000);

    tab.scroll("document.querySelector('[data-id=pOsTrEaDiNgAbCdEf]').scrollIntoView()");
    device.pass(60_000);

    assertThat(unread(tab)).isEqualTo("10");
  }

  @Test
  void markingEverythingCanBeUndoneEvenAfterItWasSent() {
    Device device = world.device().withClock();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    tab.find("#pr-mark-all-btn").click();
    assertThat(unread(tab)).isEqualTo("0");
    device.push(tab);

    tab.find("#pr-undo-btn").click();

    assertThat(unread(tab)).isEqualTo("10");
    tab.go("/reader");
    tab.awaitItems().awaitStatus("Sync: OK");
    assertThat(unread(tab)).isEqualTo("10");
    assertThat(device.stored(tab, "power-reader-read-from")).isEqualTo(Tab.LONG_AGO);
  }

  @Test
  void aMarkThatWasTakenBackDoesNotReturnWithTheNextSync() {
    Device device = world.device().withClock();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    tab.mark(COMMENT);
    device.push(tab);

    tab.item(COMMENT).locator("[data-action='mark-read']").click();
    tab.go("/reader");
    tab.awaitItems().awaitStatus("Sync: OK");

    tab.awaitUnread(COMMENT);
    tab.mark(COMMENT);
    tab.go("/reader");
    tab.awaitItems().awaitRead(COMMENT);
  }

  @Test
  void theLastMarksAreUndoneByKeyOneStepAtATime() {
    Tab tab = world.device().openFrom(Tab.LONG_AGO).awaitItems();
    tab.mark(COMMENT);
    tab.mark("cOmMeNtClOcK00003");

    tab.page().keyboard().press("z");
    tab.awaitUnread("cOmMeNtClOcK00003");
    tab.awaitRead(COMMENT);
    tab.page().keyboard().press("z");

    tab.awaitUnread(COMMENT);
    assertThat(tab.find("#pr-undo-btn").isVisible()).isFalse();
  }

  @Test
  void nothingCanBeUndoneOnAPageThatWasReadLeftAndIsComeBackTo() {
    Device device = world.device();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.find("#pr-mark-all-btn").click();
    assertThat(tab.find("#pr-undo-btn").isVisible()).isTrue();

    // The browser keeps the page as it is, and shows it again when the reader goes back.
    tab.page()
        .evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}));"
            + " dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))");

    assertThat(device.stored(tab, "power-reader-read-from")).isNotEqualTo(Tab.LONG_AGO);
    assertThat(tab.find("#pr-undo-btn").isVisible()).isFalse();
    assertThat(unread(tab)).isEqualTo("0");
    tab.page().keyboard().press("z");
    assertThat(unread(tab)).isEqualTo("0");
  }

  @Test
  void aPageThatIsLeftUnreadCanStillUndoWhenItIsComeBackTo() {
    Device device = world.device();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.mark(COMMENT);

    tab.page()
        .evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}));"
            + " dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))");

    tab.find("#pr-undo-btn").click();
    tab.awaitUnread(COMMENT);
  }

  @Test
  void nothingCanBeUndoneWhileTheNextPageIsLoading() {
    Device device = world.device();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    device.context().route("**/graphql", Route::abort);
    tab.find("#pr-mark-all-btn").click();
    tab.find("#pr-check-now-btn").click();

    tab.find("#pr-retry-btn").waitFor();
    assertThat(tab.find("#pr-undo-btn").isVisible()).isFalse();
  }

  @Test
  void aClickIsNotLostWhenTheFocusLeavesAnAvoidedItem() {
    Tab tab = world.device().openFrom(Tab.LONG_AGO).awaitItems();
    tab.item("pOsTgArDeNaBcDeFg").locator("[data-action='author-down']").click();
    var button = tab.item(COMMENT).locator("[data-action='mark-read']");
    BoundingBox place = button.boundingBox();

    tab.page().mouse().click(place.x + place.width / 2, place.y + place.height / 2);

    tab.awaitRead(COMMENT);
  }

  @Test
  void anAvoidedItemIsShownWhenAskedFor() {
    Tab tab = world.device().openFrom(Tab.LONG_AGO).awaitItems();
    var post = tab.item("pOsTgArDeNaBcDeFg");
    double whole = post.boundingBox().height;
    post.locator("[data-action='author-down']").click();
    assertThat(post.boundingBox().height).isLessThan(whole / 2);

    Locator show = post.locator("[data-action='show']");
    assertThat(show.getAttribute("aria-expanded")).isEqualTo("false");

    show.click();

    assertThat(post.boundingBox().height).isGreaterThanOrEqualTo(whole);
    assertThat(show.getAttribute("aria-expanded")).isEqualTo("true");
    assertThat(show.getAttribute("aria-pressed"))
        .as("it shows something and switches nothing on")
        .isNull();
  }

  /** Returns a device on whose screen not everything fits. */
  private Device lowDevice() {
    return world
        .device(world.forum(), new Browser.NewContextOptions().setViewportSize(900, 500))
        .withClock();
  }

  private static String unread(Tab tab) {
    return tab.find("#pr-unread-count").textContent();
  }
}
