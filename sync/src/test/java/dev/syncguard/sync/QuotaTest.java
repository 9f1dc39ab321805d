package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.remote.Envelope;
import dev.syncguard.sync.remote.QuotaMeta;
import dev.syncguard.sync.text.Iso;
import dev.syncguard.sync.text.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@NullUnmarked
class QuotaTest {

  private static final String RETRY_KEY = "pr-sync-quota-next-retry-at-lw-user123";

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  private QuotaMeta quota() {
    return QuotaMeta.read(device.values.get("power-reader-sync-quota-meta"));
  }

  private QuotaMeta.Cooldown cooldown() {
    return quota().cooldown();
  }

  private int pushes() {
    return quota().pushesOf("user123").today();
  }

  private String mode() {
    return String.valueOf(
        Json.parseObject(device.values.get("power-reader-sync-quota-meta")).get("mode"));
  }

  private World.Tab limited() {
    World.Tab tab = device.started();
    tab.read("abc");
    tab.sync.reader().setAuthorPreference("Ann", 1);
    firestore.nextCommit(firestore.error(429, "RESOURCE_EXHAUSTED"));
    world.passSeconds(9);
    return tab;
  }

  @Test
  @Tag("PR-PERSIST-49")
  @Tag("PR-PERSIST-50")
  @Tag("PR-PERSIST-56")
  @Tag("T84")
  @Tag("T85")
  @Tag("T86")
  @Tag("T92")
  void outOfQuotaNothingIsSentAndNothingLost() {
    World.Tab tab = limited();
    assertThat(mode()).isEqualTo(QuotaMeta.Mode.QUOTA_LIMITED.id);
    assertThat(cooldown().level()).isEqualTo(1);
    assertThat(cooldown().until() - world.trueMillis()).isBetween(298_000L, 300_000L);
    assertThat(cooldown().nextProbe()).isEqualTo(cooldown().until());
    assertThat(device.shared.get(RETRY_KEY)).isEqualTo(Long.toString(cooldown().until()));
    assertThat(tab.label()).isEqualTo("Sync: quota-limited (retry in 5m)");
    firestore.requests.clear();
    tab.sync.reader().setAuthorPreference("Bob", 1);
    tab.sync.pageFocused();
    world.passMinutes(2);
    tab.sync.pageHidden();
    tab.sync.pageVisible();
    assertThat(tab.label()).isEqualTo("Sync: quota-limited (retry in 3m)");
    assertThat(firestore.requests).isEmpty();
    assertThat(device.meta().dirty()).isTrue();
    assertThat(tab.sync.reader().read()).containsExactly("abc");
  }

  @Test
  @Tag("PR-PERSIST-50")
  @Tag("T85")
  @Tag("T90")
  void cooldownsGrowUntilOneProbeSucceedsAndSurviveAReload() {
    World.Tab tab = limited();
    firestore.always = firestore.error(429, "RESOURCE_EXHAUSTED");
    int[] minutes = {5, 15, 60, 360, 360};
    firestore.requests.clear();
    for (int i = 0; i < minutes.length; i++) {
      if (i == 2) {
        tab.close();
        tab = device.started();
        assertThat(tab.outcomes).containsExactly(StartOutcome.LOCAL_FOR_NOW);
      }
      assertThat(cooldown().level()).isEqualTo(i + 1);
      long left = cooldown().until() - world.trueMillis();
      assertThat(left).isBetween((minutes[i] - 1) * 60_000L, minutes[i] * 60_000L);
      world.pass(left - 1_000);
      tab.sync.userActive();
      assertThat(firestore.requests).as("level " + (i + 1)).isEmpty();
      firestore.always = i == minutes.length - 1 ? null : firestore.always;
      world.pass(1_500);
      boolean last = i == minutes.length - 1;
      assertThat(last ? firestore.commits() : firestore.requests)
          .as("one probe")
          .hasSize(1);
      firestore.requests.clear();
    }
    assertThat(mode()).isEqualTo(QuotaMeta.Mode.NORMAL.id);
    assertThat(cooldown().level()).isZero();
    assertThat(device.shared).doesNotContainKey(RETRY_KEY);
  }

  @Test
  @Tag("PR-PERSIST-50")
  void aPushThatFindsNothingToWriteProvesNothingAboutRefusedWrites() {
    World.Tab tab = limited();
    firestore.always = (request, callback) -> request.method() == Http.Method.POST
        && firestore.error(429, "RESOURCE_EXHAUSTED").befall(request, callback);
    // Another device had said the same before writes were refused.
    firestore.plant(
        world.forum.node(), Fixtures.withPrefs(Fixtures.read(0, "abc"), 0, Map.of("Ann", 1)));
    waitActively(tab, 7);
    assertThat(device.meta().dirty()).isFalse();
    assertThat(tab.label()).startsWith("Sync: OK");

    tab.sync.reader().setAuthorPreference("Bob", 1);
    waitActively(tab, 1);
    assertThat(cooldown().level()).isEqualTo(2);
    assertThat(cooldown().until() - cooldown().lastErrorAt()).isEqualTo(15 * 60_000L);

    firestore.always = null;
    waitActively(tab, 16);
    assertThat(world.stored().authorPrefs().value()).containsOnlyKeys("Ann", "Bob");
    assertThat(cooldown().level()).isZero();
  }

  @Test
  @Tag("PR-PERSIST-51")
  @Tag("PR-PERSIST-55")
  @Tag("T91")
  @Tag("T93")
  void recoveryGoesByPriorityAndPickUpSpeedSlowly() {
    World.Tab tab = limited();
    world.pass(cooldown().until() - world.trueMillis() - 500);
    tab.sync.userActive();
    firestore.commitTimes.clear();
    int before = firestore.commits().size();
    world.passSeconds(2);
    assertThat(firestore.commits()).hasSize(before + 1);
    Envelope first = firestore.lastPushed();
    assertThat(first.fields().authorPrefs().value()).containsOnlyKeys("Ann");
    assertThat(first.fields().read().value()).as("read marks follow later").isEmpty();
    assertThat(device.dirty(SyncedField.READ)).isTrue();
    world.passSeconds(61);
    assertThat(firestore.lastPushed().fields().read().value()).containsExactly("abc");
    for (int i = 0; i < 120; i++) {
      tab.sync.reader().setAuthorPreference("A" + i, 1);
      world.passSeconds(1);
    }
    List<Long> gaps = new ArrayList<>();
    for (int i = 1; i < firestore.commitTimes.size(); i++) {
      gaps.add(firestore.commitTimes.get(i) - firestore.commitTimes.get(i - 1));
    }
    assertThat(gaps.get(0)).isGreaterThanOrEqualTo(60_000);
    assertThat(gaps.get(1)).isGreaterThanOrEqualTo(30_000);
    assertThat(gaps.get(2)).isGreaterThanOrEqualTo(15_000);
  }

  @Test
  @Tag("PR-PERSIST-51")
  @Tag("T86")
  void aPendingResetSurvivesTheCooldownAndComesFirst() {
    World.Tab tab = limited();
    tab.reset();
    world.passSeconds(1);
    assertThat(tab.resets).containsExactly(ResetOutcome.PENDING);
    tab.close();
    World.Tab next = device.started();
    next.read("after");
    firestore.requests.clear();
    world.passMinutes(4);
    assertThat(firestore.requests).isEmpty();
    assertThat(device.meta().pendingReset()).isNotNull();
    next.sync.userActive();
    world.passMinutes(4);
    assertThat(firestore.requests.get(1).method()).isEqualTo(Http.Method.POST);
    assertThat(firestore
            .envelope(firestore.commits().get(0), Site.LESSWRONG)
            .fields()
            .read()
            .value())
        .isEmpty();
    assertThat(firestore.stored(world.forum.node()).fields().read().value())
        .containsExactly("after");
  }

  @Test
  @Tag("PR-PERSIST-52")
  void ofFiveTabsOnlyOneProbes() {
    List<World.Tab> tabs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      tabs.add(device.started());
    }
    firestore.always = firestore.error(429, "RESOURCE_EXHAUSTED");
    tabs.get(0).read("abc");
    world.passSeconds(9);
    firestore.requests.clear();
    world.passMinutes(4);
    tabs.forEach(tab -> tab.sync.userActive());
    world.passSeconds(75);
    assertThat(firestore.requests).hasSize(1);
    assertThat(cooldown().level()).isEqualTo(2);
    assertThat(tabs).allMatch(tab -> tab.label().equals("Sync: quota-limited (retry in 15m)"));
  }

  @Test
  @Tag("PR-PERSIST-52")
  @Tag("T87")
  void aTabThatOnlySeesTheSharedKeyKeepsQuietToo() {
    World.Tab tab = device.started();
    device.shared.put(RETRY_KEY, Long.toString(world.trueMillis() + 60_000));
    firestore.requests.clear();
    tab.read("abc");
    world.passSeconds(59);
    assertThat(firestore.requests).isEmpty();
    assertThat(tab.label()).startsWith("Sync: quota-limited");
    world.passMinutes(2);
    assertThat(firestore.stored(world.forum.node()).fields().read().value()).containsExactly("abc");
  }

  @Test
  @Tag("PR-PERSIST-50")
  void aClockThatJumpsDoesNotLockSyncOut() {
    World.Tab tab = limited();
    device.clockError = -400L * 86_400_000;
    tab.sync.userActive();
    tab.sync.pageFocused();
    world.passMinutes(2);
    assertThat(firestore.stored(world.forum.node()).fields().authorPrefs().value())
        .containsOnlyKeys("Ann");
  }

  @Test
  @Tag("PR-PERSIST-53")
  @Tag("PR-PERSIST-56")
  @Tag("T88")
  void ahundredPushesADayMakeThemRareAndTwoHundredStopThem() {
    World.Tab tab = device.started();
    setPushes(99);
    push(tab, "A");
    assertThat(pushes()).isEqualTo(100);
    assertThat(mode()).isEqualTo(QuotaMeta.Mode.BUDGET_LIMITED.id);
    assertThat(tab.label()).isEqualTo("Sync: rate-limited (local budget)");
    int commits = firestore.commits().size();
    tab.sync.reader().setAuthorPreference("B", 1);
    waitActively(tab, 9);
    assertThat(firestore.commits()).hasSize(commits);
    waitActively(tab, 2);
    assertThat(firestore.commits()).hasSize(commits + 1);
    setPushes(199);
    tab.sync.reader().setAuthorPreference("C", 1);
    waitActively(tab, 11);
    assertThat(pushes()).isEqualTo(200);
    tab.sync.reader().setAuthorPreference("D", 1);
    waitActively(tab, 120);
    assertThat(pushes()).isEqualTo(200);
    assertThat(tab.sync.status().hint()).startsWith("Retry in ");
    device.clockError = -3 * 86_400_000L;
    waitActively(tab, 30);
    assertThat(pushes()).as("a clock that goes back gives nothing back").isEqualTo(200);
    device.clockError = 0;
    waitActively(tab, 14 * 60);
    assertThat(firestore.stored(world.forum.node()).fields().authorPrefs().value())
        .containsKey("D");
    assertThat(pushes()).isEqualTo(1);
    assertThat(tab.label()).startsWith("Sync: OK");
  }

  @Test
  @Tag("PR-PERSIST-53")
  void aPendingResetIsReplayedEvenWhenTheBudgetIsSpent() {
    World.Tab tab = device.started();
    push(tab, "A");
    setPushes(200);
    firestore.nextCommit(firestore.fail(Http.Cause.OFFLINE));
    tab.reset();
    world.passSeconds(5);
    assertThat(device.meta().pendingReset()).isNotNull();
    waitActively(tab, 12);
    assertThat(device.meta().pendingReset()).isNull();
    assertThat(firestore.stored(world.forum.node()).fields().authorPrefs().value())
        .isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-53")
  void brokenQuotaMetaCountsAsNone() {
    for (String odd :
        List.of("rubbish", "{}", "{\"schemaVersion\":1,\"mode\":7,\"pushesToday\":\"x\"}")) {
      assertThat(QuotaMeta.read(odd)).isEqualTo(QuotaMeta.NEW);
    }
    QuotaMeta meta = new QuotaMeta(
        new QuotaMeta.Cooldown(5, 6, 2, true, 8),
        "2026-01-01",
        Map.of("ann", new QuotaMeta.Pushes(7, 9, 10, 11)));
    assertThat(QuotaMeta.read(meta.write(QuotaMeta.Mode.QUOTA_LIMITED))).isEqualTo(meta);
  }

  @Test
  @Tag("PR-PERSIST-49")
  void aRefusalOfTheLookAtAnEarlierPlaceIsHeeded() {
    World.Tab before = device.started();
    before.read("abc");
    world.passSeconds(9);
    before.close();
    world.forum.logIn("user123", FakeForum.withSecret("a-quite-new-secret"));
    refuseTheSecondRead();
    World.Tab tab = device.started();
    assertThat(tab.outcomes).containsExactly(StartOutcome.HYDRATED);
    keepsQuiet(tab);
  }

  @Test
  @Tag("PR-PERSIST-49")
  void aRefusalOfTheLookForTheOperatorsLimitsIsHeeded() {
    refuseTheSecondRead();
    World.Tab tab = device.tab(World.config(Site.LESSWRONG).operatorLimits(true).build());
    tab.start();
    tab.read("abc");
    world.passSeconds(1);
    keepsQuiet(tab);
  }

  private void refuseTheSecondRead() {
    firestore.nextRead(firestore.before(() -> {}));
    firestore.nextRead(firestore.error(429, "RESOURCE_EXHAUSTED"));
  }

  private void keepsQuiet(World.Tab tab) {
    firestore.requests.clear();
    assertThat(tab.label()).isEqualTo("Sync: quota-limited (retry in 5m)");
    waitActively(tab, 4);
    assertThat(firestore.requests).isEmpty();
    assertThat(device.meta().dirty()).isTrue();
    waitActively(tab, 2);
    assertThat(device.meta().dirty()).isFalse();
  }

  private void setPushes(int pushes) {
    device.values.put(
        "power-reader-sync-quota-meta",
        QuotaMeta.NEW
            .on(Iso.day(world.trueMillis()))
            .with("user123", new QuotaMeta.Pushes(pushes, 0, 0, 0))
            .write(QuotaMeta.Mode.NORMAL));
  }

  private void push(World.Tab tab, String author) {
    tab.sync.reader().setAuthorPreference(author, 1);
    world.passSeconds(9);
  }

  private void waitActively(World.Tab tab, int minutes) {
    for (int i = 0; i < minutes; i++) {
      tab.sync.userActive();
      world.passMinutes(1);
    }
  }
}
