package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.state.SessionSettings;
import dev.syncguard.sync.text.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the operator of the project can ask of every client, with the rules that we ship. */
class OperatorLimitsTest {

  private static final String STOP = "\"writesEnabled\":{\"booleanValue\":false}";

  private final World world = new World();
  private final World.Device device = world.device();
  private RealServer server;

  @BeforeEach
  void start() throws IOException {
    server = new RealServer(world);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  @Tag("PR-PERSIST-68")
  void writesStopAndGoOnAgainWithoutANewScript() {
    World.Tab tab = obedientTab();
    server.operatorSays(STOP);
    readOn(tab, 75);
    tab.read("during");
    readOn(tab, 5);
    assertThat(server.commits).isEmpty();
    assertThat(device.dirty(SyncedField.READ)).as("kept for later").isTrue();
    assertThat(tab.sync.status().hint()).isEqualTo("Writing is switched off");

    server.operatorSays("");
    readOn(tab, 75);
    assertThat(device.dirty(SyncedField.READ)).as("pushed afterwards").isFalse();
  }

  @Test
  @Tag("PR-PERSIST-68")
  void aStopHoldsFromTheFirstMomentOfTheNextSession() {
    server.operatorSays(STOP);
    obedientTab().close();

    World.Tab next = obedientTab();
    next.read("abc");
    readOn(next, 2);

    assertThat(server.commits).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-68")
  void anotherTabObeysAsSoonAsOneHasHeard() {
    World.Tab first = obedientTab();
    server.operatorSays(STOP);
    // Nobody asks again within the hour, but the document is read by whoever comes after it.
    device.values.remove("power-reader-sync-operator");
    World.Tab second = obedientTab();
    world.passSeconds(2);

    first.read("abc");
    second.read("def");
    readOn(first, 2);

    assertThat(server.commits).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-68")
  void theLimitsOfADayCanBeLowered() {
    server.operatorSays(
        "\"softPushesPerDay\":{\"integerValue\":\"1\"},\"hardPushesPerDay\":{\"integerValue\":\"2\"}");
    World.Tab tab = obedientTab();
    for (int i = 0; i < 60; i++) {
      tab.read("mark" + i);
      readOn(tab, 2);
    }

    assertThat(server.commits).hasSize(2);
    assertThat(tab.sync.status().kind()).isEqualTo(SyncStatus.Kind.BUDGET_LIMITED);
  }

  @Test
  @Tag("PR-PERSIST-68")
  void nobodyIsAskedMoreThanOnceAnHour() {
    World.Tab tab = obedientTab();
    readOn(tab, 55);
    assertThat(asked()).isEqualTo(1);
    readOn(tab, 20);
    assertThat(asked()).isEqualTo(2);
  }

  @Test
  @Tag("PR-PERSIST-68")
  void limitsCanOnlyBecomeTighterAndNeverClearTheMarksOfOrdinaryReaders() {
    SyncConfig own = server.config().operatorLimits(true).dailyPushes(50, 60).build();

    SessionSettings loose = told(
        own,
        Map.of(
            "readCap",
            20_000L,
            "authorCap",
            5_000L,
            "writeFloorSeconds",
            1L,
            "readOnlyWindowSeconds",
            0L,
            "softPushesPerDay",
            90L,
            "hardPushesPerDay",
            900L,
            "retentionDays",
            999L));
    assertThat(List.of(loose.readCap, loose.authorCap, loose.softBudget, loose.hardBudget))
        .containsExactly(10_000, 1_000, 50, 60);
    assertThat(List.of(loose.writeFloorMillis, loose.readOnlyWindowMillis))
        .containsExactly(5_000L, 45_000L);
    assertThat(loose.retentionDays).isEqualTo(180);

    SessionSettings absurd = told(
        own,
        Map.of(
            "readCap",
            0L,
            "authorCap",
            1L,
            "writeFloorSeconds",
            9_999_999L,
            "softPushesPerDay",
            0L,
            "hardPushesPerDay",
            0L,
            "retentionDays",
            0L));
    assertThat(List.of(absurd.readCap, absurd.authorCap, absurd.softBudget, absurd.hardBudget))
        .containsExactly(10_000, 1_000, 50, 60);
    assertThat(absurd.writeFloorMillis).isEqualTo(5_000L);
    assertThat(absurd.retentionDays).isEqualTo(180);

    SessionSettings tight = told(
        own,
        Map.of(
            "readCap",
            5_000L,
            "authorCap",
            500L,
            "writeFloorSeconds",
            60L,
            "readOnlyWindowSeconds",
            300L,
            "softPushesPerDay",
            30L,
            "hardPushesPerDay",
            20L,
            "retentionDays",
            90L));
    assertThat(List.of(tight.readCap, tight.authorCap, tight.softBudget, tight.hardBudget))
        .containsExactly(5_000, 500, 20, 20);
    assertThat(List.of(tight.writeFloorMillis, tight.readOnlyWindowMillis))
        .containsExactly(60_000L, 300_000L);
    assertThat(tight.retentionDays).isEqualTo(90);
  }

  @Test
  @Tag("PR-PERSIST-68")
  void whatMakesNoSenseAsksForNothing() {
    server.operatorSays("\"writesEnabled\":{\"stringValue\":\"no\"},"
        + "\"readCap\":{\"doubleValue\":2000},\"hardPushesPerDay\":{\"integerValue\":\"-1\"}");
    World.Tab tab = obedientTab();
    tab.read("abc");
    readOn(tab, 2);

    assertThat(device.dirty(SyncedField.READ)).isFalse();
  }

  private SessionSettings told(SyncConfig own, Map<String, Object> kept) {
    device.values.put("operator", Json.write(kept));
    return device.operatorLimits(own, "operator").effective();
  }

  private World.Tab obedientTab() {
    return server.tab(device, server.config().operatorLimits(true).build());
  }

  private long asked() {
    return server.reads.stream().filter(url -> url.contains("/operator/limits")).count();
  }

  private void readOn(World.Tab tab, int minutes) {
    for (int i = 0; i < minutes; i++) {
      tab.sync.userActive();
      world.passMinutes(1);
    }
  }
}
