package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What stays in sight while one reads: how much is left, and how sync is doing. */
class HeaderIT {

  private static final String COMMENT = "cOmMeNtGaRdEn0002";

  @RegisterExtension
  final World world = new World();

  @Test
  void theUnreadCountAndTheStateOfSyncStayInSight() {
    Device device =
        world.device(world.forum(), new Browser.NewContextOptions().setViewportSize(900, 500));
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");

    tab.scrollTo("pOsTrEaDiNgAbCdEf");

    for (String part : new String[] {"#pr-unread-count", "#pr-sync-status-label"}) {
      assertThat(tab.find("#pr-sticky-header " + part).boundingBox().y)
          .as(part)
          .isBetween(0.0, 60.0);
    }
    assertThat(tab.item("pOsTrEaDiNgAbCdEf").boundingBox().y)
        .as("what one jumps to is not hidden below")
        .isGreaterThanOrEqualTo(tab.find("#pr-sticky-header").boundingBox().height - 1);
  }

  @Test
  void syncNowSendsAndFetchesWithoutWaiting() {
    Device first = world.device().withClock();
    Device second = world.device().withClock();
    Tab one = first.openFrom(Tab.LONG_AGO).awaitItems();
    one.awaitStatus("Sync: OK");
    first.push(one);
    first.pass(60_000);
    Tab two = second.open().awaitItems();
    two.awaitStatus("Sync: OK");
    first.freeze(one);
    second.freeze(two);

    one.mark(COMMENT);
    one.find("#pr-sync-now-btn").click();
    one.await("the push", () -> world.remote().envelope().read().contains(COMMENT));
    two.find("#pr-sync-now-btn").click();

    two.awaitRead(COMMENT);
  }

  @Test
  void theTimeThatIsLeftOfABudgetIsTextAndNotATooltip() {
    Device device = world.device().withClock();
    device.store(
        "power-reader-sync-quota-meta",
        "{\"schemaVersion\":1,\"people\":{\"aLiCeReAdErAbCdEf\":{\"pushesToday\":200}},"
            + "\"dayKeyUtc\":\"" + java.time.LocalDate.now(java.time.ZoneOffset.UTC) + "\"}");
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: rate-limited (local budget)");

    assertThat(tab.find("#pr-sticky-header").textContent()).containsPattern("[Rr]etry in \\d+m");
  }

  @Test
  void theForumIsCalledByItsName() {
    Tab tab = world.device().openFrom(Tab.LONG_AGO).awaitItems();

    assertThat(tab.page().title()).startsWith("LessWrong: Power Reader v");
    assertThat(tab.find("h1").textContent()).startsWith("LessWrong Power Reader");
  }
}
