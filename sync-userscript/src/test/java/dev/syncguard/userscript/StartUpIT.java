package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** From the first moment of the page to the first item. */
class StartUpIT {

  private static final long START_BUDGET_MILLIS = 5_000;
  private static final String COMMENT = "cOmMeNtClOcK00003";
  private static final String OTHER = "cOmMeNtGaRdEn0002";

  @RegisterExtension
  final World world = new World();

  @Test
  @Tag("PR-PERSIST-04")
  @Tag("T41")
  void aNewDeviceNeverAsksForADateThatAnotherDeviceKnows() {
    anotherDeviceHasRead(COMMENT);
    Device second = world.device();
    second
        .context()
        .addInitScript("window.seenSetup = false; new MutationObserver(() => {"
            + " if (document.querySelector('.pr-setup')) window.seenSetup = true; })"
            + ".observe(document, {childList: true, subtree: true});");

    Tab two = second.open().awaitItems();

    two.awaitRead(COMMENT);
    assertThat(two.page().evaluate("window.seenSetup")).isEqualTo(false);
    assertThat(second.stored(two, "power-reader-read-from")).isEqualTo(Tab.LONG_AGO);
  }

  @Test
  @Tag("PR-PERSIST-04")
  @Tag("PR-PERSIST-16")
  @Tag("T42")
  void whatComesAfterFiveSecondsIsAppliedToThePageWithANotice() {
    anotherDeviceHasRead(COMMENT);
    Device second = world.device().withClock().freeze();
    List<Route> held = new ArrayList<>();
    second.network(held::add);
    Tab two = second.open();
    two.await("the first pull", () -> !held.isEmpty());
    assertThat(two.find(".pr-loading").count()).isEqualTo(1);
    assertThat(two.status()).isEqualTo("Syncing...");
    second.pass(4_999);
    assertThat(two.find(".pr-loading").count()).isEqualTo(1);
    second.pass(1);
    two.awaitSetup();

    second.heal();
    held.forEach(Route::resume);

    two.awaitItems();
    two.find(".pr-notice").waitFor();
    assertThat(two.find(".pr-notice").textContent()).isEqualTo("Synced state applied");
    two.awaitRead(COMMENT);
    second.pass(9_999);
    assertThat(two.find(".pr-notice").count()).isEqualTo(1);
    second.pass(1);
    assertThat(two.find(".pr-notice").count()).isZero();
  }

  @Test
  @Tag("PR-PERSIST-04")
  @Tag("T50")
  void aFirestoreThatNeverWorksLeavesAReaderThatDoes() {
    Device device = world.device().withClock();
    device.refuse(503, "UNAVAILABLE");

    Tab tab = device.open().awaitSetup();
    tab.find("#startReading").click();
    tab.awaitItems().mark(COMMENT);
    tab.item(OTHER).locator("[data-action='author-up']").click();
    device.freeze(tab);
    device.passActively(tab, 120_000);

    tab.awaitStatus("Sync: offline (retrying...)");
    tab.go("/reader");
    tab.await("its first request", () -> device.asked(tab) > 0);
    device.settle(tab);
    device.passActively(tab, START_BUDGET_MILLIS);
    tab.awaitItems().awaitRead(COMMENT);
    assertThat(tab.item(OTHER).getAttribute("class")).contains("pr-preferred");
    assertThat(world.remote().nodes("lw")).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-04")
  @Tag("T52")
  void aNetworkThatIsDownDoesNotKeepThePageAway() {
    Device device = world.device();
    device.network(route -> route.abort("internetdisconnected"));

    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();

    tab.mark(COMMENT);
    assertThat(tab.find(".pr-error").count()).isZero();
  }

  @Test
  @Tag("PR-PERSIST-07")
  @Tag("T44")
  void aGuestReadsWithoutAnythingBeingSent() {
    Device device = world.device().withClock();
    device.login("");

    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    device.freeze(tab);
    tab.mark(COMMENT);
    device.passActively(tab, 720_000);

    tab.awaitStatus("Sync: anonymous");
    assertThat(tab.find(".pr-status").textContent()).contains("not logged in");
    assertThat(device.sent()).isEmpty();
    assertThat(world.content().profileChanges()).isZero();
  }

  private void anotherDeviceHasRead(String id) {
    Device first = world.device().withClock();
    Tab one = first.openFrom(Tab.LONG_AGO).awaitItems();
    one.awaitStatus("Sync: OK");
    one.mark(id);
    first.push(one);
    assertThat(world.remote().envelope().read()).containsExactly(id);
  }
}
