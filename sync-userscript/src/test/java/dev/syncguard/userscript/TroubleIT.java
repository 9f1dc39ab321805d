package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Limits, refusals and spoiled data: said in the label, and never in the reader's way. */
class TroubleIT {

  private static final String COMMENT = "cOmMeNtClOcK00003";
  private static final String OTHER = "cOmMeNtGaRdEn0002";
  private static final long MINUTE = 60_000;
  private static final long LONGEST_PAUSE = 72_000;

  @RegisterExtension
  final World world = new World();

  @Test
  @Tag("PR-PERSIST-56")
  @Tag("PR-PERSIST-51")
  @Tag("T92")
  @Tag("T93")
  void anExhaustedQuotaIsWaitedForAndThenWhatMattersMostGoesOutFirst() {
    Device device = world.device().withClock();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    device.refuse(429, "RESOURCE_EXHAUSTED");
    tab.mark(COMMENT);
    tab.item(OTHER).locator("[data-action='author-up']").click();
    device.freeze(tab);

    tab.awaitStatus(Pattern.compile("^Sync: quota-limited \\(retry in [56]m\\)$"));
    int left = minutesLeft(tab);
    tab.mark(OTHER);
    int sent = device.sent().size();
    device.passActively(tab, 3 * MINUTE);
    assertThat(device.sent()).hasSize(sent);
    assertThat(minutesLeft(tab)).isEqualTo(left - 3);

    device.commitBodies().clear();
    device.heal();
    device.passActively(tab, 3 * MINUTE);
    assertThat(device.commitBodies()).hasSize(1);
    device.passActively(tab, MINUTE);
    assertThat(device.commitBodies()).hasSize(2);
    assertThat(world.remote().envelope().preference("mira")).isEqualTo(1);
    assertThat(world.remote().envelope().read()).containsExactlyInAnyOrder(COMMENT, OTHER);
    tab.awaitStatus("Sync: OK");
    assertThat(device.commitBodies().get(0))
        .as("the preference goes first")
        .contains("\"mira\"")
        .doesNotContain(COMMENT)
        .doesNotContain(OTHER);
    assertThat(device.commitBodies().get(1))
        .as("the marks follow, all in one")
        .contains(COMMENT, OTHER);
  }

  @Test
  @Tag("PR-PERSIST-80")
  void withoutANetworkTheLabelSaysSoAndWhatWasReadGoesOutLater() {
    Device device = world.device().withClock();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    device.push(tab);
    device.freeze(tab);
    device.context().setOffline(true);
    tab.mark(COMMENT);
    device.passActively(tab, MINUTE);
    tab.awaitStatus("Sync: offline (retrying...)");
    assertThat(spoken(tab)).isEqualTo("Sync: offline (retrying...)");
    assertThat(world.remote().envelope().read()).isEmpty();

    device.context().setOffline(false);
    device.passActively(tab, LONGEST_PAUSE);

    assertThat(world.remote().envelope().read()).containsExactly(COMMENT);
    tab.awaitStatus("Sync: OK");
    assertThat(spoken(tab)).isEqualTo("Sync: OK");
  }

  @Test
  @Tag("PR-PERSIST-80")
  @Tag("T129")
  void aManagerThatMayNotConnectIsToldApartFromBeingOffline() {
    Device device = world.device().withClock();
    device.context().addInitScript("window.__GM_CONNECT__ = [];");

    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();

    tab.awaitStatus("Sync blocked by userscript permissions/connectivity");
    tab.mark(COMMENT);
    assertThat(device.sent()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-80")
  void aManagerThatThrowsIsBlockedToo() {
    Device device = world.device().withClock();
    device
        .context()
        .addInitScript("Object.defineProperty(window, 'GM_xmlhttpRequest',"
            + " {get: () => () => { throw new Error('not permitted'); }, set: () => {}});");

    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();

    tab.awaitStatus("Sync blocked by userscript permissions/connectivity");
    tab.mark(COMMENT);
  }

  @Test
  @Tag("PR-PERSIST-76")
  void aSpoiledDocumentPausesPushesUntilAReset() {
    Device device = world.device().withClock();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    tab.mark(COMMENT);
    device.push(tab);
    world
        .remote()
        .spoil(world.remote().nodes("lw").get(0), "lastPushedBy", "{\"integerValue\":\"5\"}");

    tab.go("/reader");
    tab.awaitItems().awaitStatus("Sync: remote-invalid (push paused; reset recommended)");
    tab.awaitLog("sync-remote-invalid");
    long commits = device.commits();
    tab.mark(OTHER);
    device.freeze(tab);
    device.passActively(tab, MINUTE);
    assertThat(device.commits()).isEqualTo(commits);

    tab.reset();
    tab.awaitSetup();
    tab.await("the reset", () -> world.remote().envelope().read().isEmpty());
  }

  /** Returns what somebody hears who cannot see the label. */
  private static String spoken(Tab tab) {
    return tab.find("#pr-sync-spoken").textContent();
  }

  private static int minutesLeft(Tab tab) {
    return Integer.parseInt(tab.status().replaceAll("\\D", ""));
  }
}
