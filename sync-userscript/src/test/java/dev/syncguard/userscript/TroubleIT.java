package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Limits, refusals and spoiled data: said in the label, and never in the reader's way. */
class TroubleIT {

  private static final String COMMENT = "cOmMeNtClOcK00003";
  private static final String OTHER = "cOmMeNtGaRdEn0002";

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
    device.pass(9_000);

    tab.awaitStatus("Sync: quota-limited (retry in ");
    assertThat(tab.status()).matches("Sync: quota-limited \\(retry in [1-6]m\\)");
    tab.mark(OTHER);
    int sent = device.sent().size();
    device.passActively(tab, 3);
    assertThat(device.sent()).hasSize(sent);
    tab.awaitStatus("Sync: quota-limited (retry in ");

    device.commitBodies().clear();
    device.heal();
    device.passActively(tab, 4);
    tab.await("everything to arrive", () -> {
      tab.touch();
      device.pass(10_000);
      return world.remote().nodes("lw").size() == 1
          && world.remote().envelope().read().containsAll(List.of(COMMENT, OTHER));
    });
    assertThat(world.remote().envelope().preference("mira")).isEqualTo(1);
    tab.awaitStatus("Sync: OK");
    assertThat(device.commitBodies()).hasSizeGreaterThanOrEqualTo(2);
    assertThat(device.commitBodies().get(0))
        .as("the date and the preference go first")
        .contains("\"mira\"", Tab.LONG_AGO)
        .doesNotContain(COMMENT)
        .doesNotContain(OTHER);
    assertThat(device.commitBodies().get(1))
        .as("the marks follow, all in one")
        .contains("\"mira\"", COMMENT, OTHER);
  }

  @Test
  @Tag("PR-PERSIST-80")
  void withoutANetworkTheLabelSaysSoAndWhatWasReadGoesOutLater() {
    Device device = world.device().withClock();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    device.push(tab);
    device.context().setOffline(true);
    tab.mark(COMMENT);
    device.pass(9_000);
    tab.await("the label to say so", () -> {
      device.pass(5_000);
      return tab.status().equals("Sync: offline (retrying...)");
    });
    assertThat(world.remote().envelope().read()).isEmpty();

    device.context().setOffline(false);

    tab.await("the mark to arrive", () -> {
      tab.touch();
      device.pass(10_000);
      return world.remote().envelope().read().contains(COMMENT);
    });
    tab.awaitStatus("Sync: OK");
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
    device.pass(60_000);
    assertThat(device.commits()).isEqualTo(commits);

    tab.find("#pr-reset-state-btn").click();
    tab.awaitSetup();
    tab.await("the reset", () -> world.remote().envelope().read().isEmpty());
  }
}
