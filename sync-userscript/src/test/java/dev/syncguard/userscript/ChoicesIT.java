package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Decisions that cost something say what, before they are made. */
class ChoicesIT {

  private static final String COMMENT = "cOmMeNtGaRdEn0002";

  @RegisterExtension
  final World world = new World();

  @Test
  void aLinkToTheResetAsksFirstAndSaysWhatWillBeLost() throws IOException {
    Device device = world.device().withClock();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    tab.mark(COMMENT);
    tab.item(COMMENT).locator("[data-action='author-up']").click();
    device.push(tab);
    int sent = device.sent().size();

    tab.go("/reader/reset");
    tab.find("#pr-confirm-reset-btn").waitFor();
    assertThat(tab.find("#power-reader-root").textContent())
        .contains("1 read mark", "1 author preference", "all of your devices");
    Download download =
        tab.page().waitForDownload(() -> tab.find("#pr-export-state-btn").click());
    assertThat(new String(download.createReadStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains(COMMENT, "mira");
    device.pass(60_000);
    assertThat(device.sent()).hasSize(sent);
    assertThat(device.stored(tab, "power-reader-read")).contains(COMMENT);

    tab.find("#pr-cancel-reset-btn").click();
    tab.awaitItems().awaitRead(COMMENT);
    assertThat(world.remote().envelope().read()).containsExactly(COMMENT);
  }

  @Test
  void theSetUpPageRefusesADayThatIsStillToCome() {
    Device device = world.device();
    Tab tab = device.open().awaitSetup();

    tab.find("#loadFromDate").fill("2062-01-01");
    tab.find("#startReading").click();

    assertThat(tab.find(".pr-setup [role='alert']").textContent()).contains("still to come");
    assertThat(device.stored(tab, "power-reader-read-from")).isEmpty();
    tab.find("#loadFromDate").fill("2020-01-01");
    tab.find("#startReading").click();
    tab.awaitItems();
  }

  @Test
  void theSetUpPageSaysWhatIsWrongWithADayThatWasMistyped() {
    Device device = world.device();
    Tab tab = device.open().awaitSetup();
    Locator problem = tab.find(".pr-setup [role='alert']");

    tab.find("#loadFromDate").fill("12026-01-01");
    tab.find("#startReading").click();
    assertThat(problem.textContent()).contains("still to come");

    tab.find("#loadFromDate").fill("0202-01-01");
    tab.find("#startReading").click();
    assertThat(problem.textContent()).contains("from 1970-01-01 to");

    tab.find("#loadFromDate").fill("");
    tab.find("#loadFromDate").focus();
    tab.page().keyboard().type("31");
    tab.find("#startReading").click();
    assertThat(problem.textContent()).contains("is not complete");

    assertThat(device.stored(tab, "power-reader-read-from")).isEmpty();
    tab.find("#loadFromDate").fill("2020-01-01");
    tab.find("#startReading").click();
    tab.awaitItems();
  }

  @Test
  void anEarlierDateKeepsThePreferencesOnAllDevices() {
    Device device = world.device().withClock();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    tab.item(COMMENT).locator("[data-action='author-up']").click();
    tab.find("#pr-mark-all-btn").click();
    tab.find("#pr-check-now-btn").click();
    tab.find(".pr-info").waitFor();
    device.push(tab);

    tab.find("#pr-change-date-btn").click();
    tab.awaitSetup();
    tab.find("#loadFromDate").fill("2020-01-01");
    tab.find("#startReading").click();
    tab.find("#pr-confirm-date-btn").click();

    tab.awaitItems().awaitUnread(COMMENT);
    assertThat(tab.item(COMMENT).getAttribute("class")).contains("pr-preferred");
    tab.awaitStatus("Sync: OK");
    device.push(tab);
    assertThat(world.remote().envelope().loadFrom()).isEqualTo("2020-01-01T00:00:00.000Z");
    assertThat(world.remote().envelope().preference("mira")).isEqualTo(1);
    assertThat(world.remote().envelope().read()).isEmpty();
  }

  @Test
  void theSwitchForSyncTellsTheTruthInEveryTab() {
    Device device = world.device();
    Tab one = device.openFrom(Tab.LONG_AGO).awaitItems();
    Tab two = device.open().awaitItems();

    one.find("#pr-sync-enabled-toggle").click();

    two.awaitStatus("Sync: off");
    assertThat(two.find("#pr-sync-enabled-toggle").isChecked()).isFalse();
  }

  @Test
  void keysCanBeSwitchedOff() {
    Device device = world.device();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();

    tab.find("#pr-keys-toggle").click();
    tab.page().evaluate("document.activeElement.blur()");
    tab.page().keyboard().press("j");
    tab.page().keyboard().press("m");
    tab.go("/reader");
    tab.awaitItems();
    tab.page().keyboard().press("j");
    tab.page().keyboard().press("m");

    assertThat(tab.find(".pr-item.read").count()).isZero();
    assertThat(tab.find("#pr-keys-toggle").isChecked()).isFalse();
  }
}
