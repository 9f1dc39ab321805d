package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Forgetting, everywhere and for good. */
class ResetIT {

  private static final String COMMENT = "cOmMeNtClOcK00003";
  private static final String OTHER = "cOmMeNtGaRdEn0002";

  @RegisterExtension
  final World world = new World();

  @Test
  @Tag("PR-PERSIST-05")
  @Tag("PR-PERSIST-25")
  @Tag("T48")
  void aResetClearsThisDeviceAndTheDocumentAndAsksForADateAgain() {
    Device device = world.device().withClock();
    Tab tab = readSomething(device);
    int before = device.sent().size();

    tab.find("#pr-reset-state-btn").click();
    tab.find("#pr-confirm-reset-btn").click();
    tab.awaitSetup();
    assertThat(tab.page().url()).endsWith("/reader");

    assertThat(device.sent().subList(before, before + 2)).containsExactly("GET", "commit");
    Remote.Envelope envelope = world.remote().envelope();
    assertThat(envelope.read()).isEmpty();
    assertThat(envelope.loadFrom()).isEmpty();
    assertThat(envelope.epoch("read")).isEqualTo(1);
    assertThat(envelope.epoch("loadFrom")).isEqualTo(1);
    assertThat(envelope.epoch("authorPrefs")).isEqualTo(1);
    assertThat(device.stored(tab, "power-reader-read")).isIn("", "{}");
    assertThat(device.stored(tab, "power-reader-device-id")).isNotEmpty();
  }

  @Test
  @Tag("PR-PERSIST-25")
  @Tag("T54")
  void aPushThatWasUnderWayDoesNotBringBackWhatAResetCleared() {
    Device device = world.device().withClock();
    Tab tab = readSomething(device);
    List<Route> held = new ArrayList<>();
    device.network(route -> {
      if (route.request().url().contains(":commit") && held.isEmpty()) {
        held.add(route);
      } else {
        route.resume();
      }
    });
    tab.item(OTHER).locator("[data-action='author-up']").click();
    tab.mark(OTHER);
    device.pass(9_000);
    tab.await("the push", () -> !held.isEmpty());

    Tab second = device.open("/");
    second.reset();
    second.awaitSetup();
    held.get(0).resume();
    assertThat(held.get(0).request().response().text()).contains("FAILED_PRECONDITION");
    device.freeze(tab);
    device.passActively(tab, 120_000);
    assertThat(device.stored(tab, "power-reader-read")).isIn("", "{}");

    Remote.Envelope envelope = world.remote().envelope();
    assertThat(envelope.read()).isEmpty();
    assertThat(envelope.epoch("read")).isEqualTo(1);
  }

  @Test
  @Tag("PR-PERSIST-30")
  @Tag("T68")
  void aResetThatCouldNotReachTheDocumentClearsItNextTimeBeforeReadingIt() {
    Device device = world.device().withClock();
    Tab tab = readSomething(device);
    device.network(route -> {
      if (route.request().url().contains(":commit")) {
        route.abort("connectionreset");
      } else {
        route.resume();
      }
    });

    tab.reset();
    tab.awaitSetup();
    assertThat(device.stored(tab, "power-reader-sync-meta"))
        .contains("\"pendingRemoteReset\":true");
    assertThat(world.remote().envelope().read()).containsExactly(COMMENT);
    assertThat(device.stored(tab, "power-reader-read")).isIn("", "{}");

    device.heal();
    int sent = device.sent().size();
    tab.go("/reader");
    tab.awaitSetup();
    device.settle(tab);
    assertThat(device.sent().subList(sent, device.sent().size()))
        .as("the clearing with its token, then the first pull")
        .containsExactly("GET", "commit", "GET");
    assertThat(device.stored(tab, "power-reader-read")).isIn("", "{}");
    assertThat(world.remote().envelope().read()).isEmpty();
    assertThat(world.remote().envelope().epoch("read")).isEqualTo(1);
  }

  @Test
  @Tag("PR-PERSIST-30")
  @Tag("T75")
  void aResetWithoutASecretIsMadeUpForAsSoonAsThereIsOne() {
    Device device = world.device().withClock();
    Tab tab = readSomething(device);
    String overrides = world.overrides("alice");
    world.setOverrides("alice", "{\"pr_sync_secret_v1\":7}");

    tab.reset();
    tab.awaitSetup();
    assertThat(device.stored(tab, "power-reader-sync-meta"))
        .contains("\"pendingRemoteReset\":true");
    tab.awaitStatus("Sync: unavailable");
    assertThat(world.remote().envelope().read()).containsExactly(COMMENT);

    world.setOverrides("alice", overrides);
    int sent = device.sent().size();
    tab.go("/reader");
    tab.awaitSetup();
    device.settle(tab);
    assertThat(device.sent().subList(sent, device.sent().size()))
        .containsExactly("GET", "commit", "GET");
    assertThat(world.remote().envelope().read()).isEmpty();
    assertThat(device.stored(tab, "power-reader-read")).isIn("", "{}");
  }

  @Test
  @Tag("PR-PERSIST-77")
  @Tag("T126")
  void aResetThatWaitsForDaysAsksForHelp() {
    Device device = world.device().withClock();
    Tab tab = readSomething(device);
    device.network(route -> route.abort("connectionreset"));
    tab.reset();
    tab.awaitSetup();
    String meta = device.stored(tab, "power-reader-sync-meta");
    assertThat(meta).contains("pendingRemoteResetAt");
    tab.close();
    String longAgo =
        Instant.now().minus(30, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MILLIS).toString();
    device.store(
        "power-reader-sync-meta",
        meta.replaceAll(
            "\"pendingRemoteResetAt\":\"[^\"]*\"", "\"pendingRemoteResetAt\":\"" + longAgo + "\""));
    world.setOverrides("alice", "{\"pr_sync_secret_v1\":7}");
    device.heal();

    Tab next = device.open();
    next.awaitSetup();

    next.awaitStatus("Sync reset pending: sign in again / check identity permissions");
    assertThat(world.remote().envelope().read()).containsExactly(COMMENT);
    assertThat(device.stored(next, "power-reader-read")).isIn("", "{}");
  }

  private Tab readSomething(Device device) {
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    tab.mark(COMMENT);
    device.push(tab);
    assertThat(world.remote().envelope().read()).containsExactly(COMMENT);
    return tab;
  }
}
