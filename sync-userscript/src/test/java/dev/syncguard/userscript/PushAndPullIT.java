package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Changes that travel while pages are open. */
class PushAndPullIT {

  private static final String COMMENT = "cOmMeNtClOcK00003";
  private static final String OTHER = "cOmMeNtGaRdEn0002";

  @RegisterExtension
  final World world = new World();

  @Test
  @Tag("PR-PERSIST-02")
  @Tag("PR-PERSIST-74")
  @Tag("T47")
  void changesAreCollectedForEightSecondsAndSentAsOneCommit() {
    Device device = world.device().withClock();
    List<String> urls = new ArrayList<>();
    device.context().onRequest(request -> {
      if (request.url().contains("/__gm/")) {
        urls.add(request.method() + " "
            + request.url().replaceAll(".*/v1/", "").replaceAll("[0-9a-f]{64}", "…"));
      }
    });
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    device.push(tab);
    device.pass(20_000);
    device.freezeFor(tab);
    long before = device.commits();
    tab.mark(COMMENT);
    tab.mark(OTHER);
    tab.item(OTHER).locator("[data-action='author-up']").click();
    assertThat(device.commits()).isEqualTo(before);

    device.push(tab);

    assertThat(device.commits()).isEqualTo(before + 1);
    Remote.Envelope envelope = world.remote().envelope();
    assertThat(envelope.read()).containsExactlyInAnyOrder(COMMENT, OTHER);
    assertThat(envelope.preference("mira")).isEqualTo(1);
    assertThat(envelope.loadFrom()).isEqualTo(Tab.LONG_AGO);
    String documents = "projects/" + World.PROJECT + "/databases/(default)/documents";
    assertThat(urls)
        .isSubsetOf(
            "GET " + documents + "/pr_sync_v1/lw/nodes/pr_sync_…?key=demo-key",
            "POST " + documents + ":commit?key=demo-key");
  }

  @Test
  @Tag("PR-PERSIST-17")
  @Tag("PR-PERSIST-56")
  @Tag("T49")
  void theSwitchStopsAndStartsSyncWithoutAReload() {
    Device device = world.device().withClock();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    device.push(tab);
    tab.page().evaluate("window.sameDocument = true");

    tab.find("#pr-sync-enabled-toggle").click();
    tab.awaitStatus("Sync: off");
    tab.mark(COMMENT);
    int sent = device.sent().size();
    device.pass(700_000);
    assertThat(device.sent()).hasSize(sent);

    tab.find("#pr-sync-enabled-toggle").click();
    tab.await("the commit", () -> {
      device.pass(1_000);
      return world.remote().envelope().read().contains(COMMENT);
    });
    tab.awaitStatus("Sync: OK (");
    assertThat(world.remote().envelope().read()).containsExactly(COMMENT);
    assertThat(tab.page().evaluate("window.sameDocument")).isEqualTo(true);
  }

  @Test
  @Tag("PR-PERSIST-21")
  @Tag("T51")
  void anotherDevicesChangeAppearsByItselfWithinElevenMinutes() {
    Device first = world.device().withClock();
    Tab one = first.openFrom(Tab.LONG_AGO).awaitItems();
    one.awaitStatus("Sync: OK");
    Device second = world.device().withClock();
    Tab two = second.openFrom(Tab.LONG_AGO).awaitItems();
    two.awaitStatus("Sync: OK");
    two.mark(COMMENT);
    second.push(two);
    one.page().evaluate("window.sameDocument = true");

    // The clock is virtual, the network is not: requests need real time to come back.
    String read = ".pr-item.read[data-id='" + COMMENT + "']";
    for (int minute = 0; minute < 40 && one.page().locator(read).count() == 0; minute++) {
      first.passActively(one, 1);
      one.page().waitForTimeout(250);
    }

    one.awaitRead(COMMENT);
    assertThat(one.page().evaluate("window.sameDocument")).isEqualTo(true);
  }

  @Test
  @Tag("PR-PERSIST-21")
  @Tag("T57")
  void comingBackToThePageBringsInWhatChangedMeanwhile() {
    Device first = world.device().withClock();
    Tab one = first.openFrom(Tab.LONG_AGO).awaitItems();
    one.awaitStatus("Sync: OK");
    Device second = world.device().withClock();
    Tab two = second.openFrom(Tab.LONG_AGO).awaitItems();
    two.awaitStatus("Sync: OK");
    two.mark(COMMENT);
    second.push(two);
    one.focus();
    assertThat(one.isRead(COMMENT)).isFalse();

    first.pass(121_000);
    one.focus();

    one.awaitRead(COMMENT);
  }
}
