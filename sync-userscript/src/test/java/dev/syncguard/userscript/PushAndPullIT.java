package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Changes that travel while pages are open. */
class PushAndPullIT {

  private static final String COMMENT = "cOmMeNtClOcK00003";
  private static final String OTHER = "cOmMeNtGaRdEn0002";
  private static final long ONE_MINUTE = 60_000;
  private static final long TWO_MINUTES = 2 * ONE_MINUTE;
  private static final long TEN_MINUTES = 10 * ONE_MINUTE;

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
    device.freeze(tab);
    long before = device.commits();

    tab.mark(COMMENT);
    device.pass(3_000);
    tab.mark(OTHER);
    tab.item(OTHER).locator("[data-action='author-up']").click();
    device.pass(7_999);
    device.settle(tab);
    assertThat(device.commits()).isEqualTo(before);
    device.pass(1);
    device.settle(tab);

    assertThat(device.commits()).isEqualTo(before + 1);
    Remote.Envelope envelope = world.remote().envelope();
    assertThat(envelope.read()).containsExactlyInAnyOrder(COMMENT, OTHER);
    assertThat(envelope.preference("mira")).isEqualTo(1);
    assertThat(envelope.loadFrom()).isEqualTo(Tab.LONG_AGO);
    String documents = "projects/" + World.PROJECT + "/databases/(default)/documents";
    assertThat(Set.copyOf(urls))
        .containsExactlyInAnyOrder(
            "GET " + documents + "/pr_sync_v1/lw/operator/limits?key=demo-key",
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
    device.freeze(tab);
    tab.page().evaluate("window.sameDocument = true");

    tab.find("#pr-sync-enabled-toggle").click();
    tab.awaitStatus("Sync: off");
    tab.mark(COMMENT);
    int sent = device.sent().size();
    device.passActively(tab, TEN_MINUTES + TWO_MINUTES);
    assertThat(device.sent()).hasSize(sent);

    tab.find("#pr-sync-enabled-toggle").click();
    device.settle(tab);
    assertThat(device.sent().subList(sent, device.sent().size())).containsExactly("GET", "commit");
    tab.awaitStatus("Sync: OK");
    assertThat(world.remote().envelope().read()).containsExactly(COMMENT);
    assertThat(tab.page().evaluate("window.sameDocument")).isEqualTo(true);
  }

  @Test
  @Tag("PR-PERSIST-21")
  @Tag("T51")
  void anotherDevicesChangeAppearsByItselfWithinElevenMinutes() {
    Device device = world.device().withClock();
    Tab tab = pulledJustBeforeAnotherDeviceMarks(device);
    tab.page().evaluate("window.sameDocument = true");
    int sent = device.sent().size();

    device.passActively(tab, TEN_MINUTES - 1);
    assertThat(device.sent()).hasSize(sent);
    assertThat(tab.isRead(COMMENT)).isFalse();
    device.passActively(tab, ONE_MINUTE + 1);

    tab.awaitRead(COMMENT);
    assertThat(tab.page().evaluate("window.sameDocument")).isEqualTo(true);
  }

  @Test
  @Tag("PR-PERSIST-21")
  @Tag("T57")
  void comingBackToThePageBringsInWhatChangedMeanwhile() {
    Device device = world.device().withClock();
    Tab tab = pulledJustBeforeAnotherDeviceMarks(device);
    int sent = device.sent().size();

    device.pass(TWO_MINUTES);
    tab.focus();
    device.settle(tab);
    assertThat(device.sent()).as("what is two minutes old is fresh enough").hasSize(sent);
    device.pass(1);
    tab.focus();

    tab.awaitRead(COMMENT);
  }

  /** Returns a tab under a clock that stands still at the moment of its last pull. */
  private Tab pulledJustBeforeAnotherDeviceMarks(Device device) {
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    device.push(tab);
    device.freeze(tab);
    device.passActively(tab, TWO_MINUTES + 1);
    int sent = device.sent().size();
    tab.focus();
    device.settle(tab);
    assertThat(device.sent().subList(sent, device.sent().size())).containsExactly("GET");

    Device other = world.device().withClock();
    Tab elsewhere = other.openFrom(Tab.LONG_AGO).awaitItems();
    elsewhere.awaitStatus("Sync: OK");
    elsewhere.mark(COMMENT);
    other.push(elsewhere);
    assertThat(world.remote().envelope().read()).containsExactly(COMMENT);
    return tab;
  }
}
