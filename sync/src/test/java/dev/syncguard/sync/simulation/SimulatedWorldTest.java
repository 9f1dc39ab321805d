package dev.syncguard.sync.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.sync.Http;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncStatus;
import dev.syncguard.sync.replay.Recorder;
import dev.syncguard.sync.replay.Settings;
import org.junit.jupiter.api.Test;

/** What the world of the simulation must not demand. */
class SimulatedWorldTest {

  private static final Site SITE = Site.LESSWRONG;
  private static final Http.Answer STORED =
      new Http.Answer(200, "{\"updateTime\":\"2030-03-01T06:00:00Z\"}", null);

  private final World world = new World(1, null);
  private final Scene scene = new Scene(
      world,
      new Scene.Rules(10_000, 1_000, 5_000, 45_000, 200),
      Weather.FAIR,
      unused -> Recorder.off());
  private final Device device =
      new Device(world, "d", Device.SharedStorage.WORKS, true, /* clockError= */ 0);
  private final Tab tab =
      new Tab(scene, device, "d/t", new Settings(SITE, false, 10_000, 1_000, 100, 200));

  @Test
  void refusalsAreCountedAnewWhenTheQuotaRunsOutAnotherTime() {
    Pace pace = new Pace();
    pace.refused(1, 0, 1);
    pace.refused(2, 0, 1);
    assertThat(pace.refusals).isEqualTo(2);
    pace.refused(3, 0, 2);
    assertThat(pace.refusals).isEqualTo(1);
  }

  @Test
  void aResetThatIsStoredShowsThatThereIsQuotaForWrites() {
    tab.resetting = true;
    Traffic.Sent sent = commit();
    Pace pace = device.pace(new Forum.Account(SITE, "null"));
    pace.refused(0, 0, 1);
    sent.applied(world.now());
    tab.traffic.heard(sent, STORED);
    assertThat(pace.refusals).isZero();
  }

  @Test
  void theSwitchOfOneForumEndsNothingOfTheOther() {
    String own = SITE.keyPrefix() + "power-reader-sync-enabled";
    String other = Site.EA_FORUM.keyPrefix() + "power-reader-sync-enabled";
    assertThat(Tab.isSwitch(SITE, own)).isTrue();
    assertThat(Tab.isSwitch(SITE, other)).isFalse();
    assertThat(Tab.isSwitch(Site.EA_FORUM, own)).isFalse();
  }

  @Test
  void anAnswerFromBeforeAChangeOfHandsMakesNobodyTheReader() {
    device.values.put(Meta.key(SITE), "{\"schemaVersion\":1,\"lastUserId\":\"bob\"}");
    device.handedOver(SITE);
    scene.ledger.identified(tab, "bob");
    assertThat(tab.isStrange()).as("the tab has to ask again").isTrue();
    scene.ledger.identified(tab, "bob");
    assertThat(tab.isStrange()).isFalse();
  }

  @Test
  void anAnswerThatComesTooLateMakesATabAskAgainWhomeverItNames() {
    device.values.put(Meta.key(SITE), "{\"schemaVersion\":1,\"lastUserId\":\"bob\"}");
    device.handedOver(SITE);
    scene.ledger.identified(tab, "alice");
    assertThat(tab.isStrange()).isTrue();
    scene.ledger.identified(tab, "bob");
    assertThat(tab.isStrange()).isFalse();
  }

  @Test
  void forTenSecondsAfterACrashATabMayBeRefused() {
    Ledger.Place place = new Ledger.Place(device, SITE);
    assertThat(scene.ledger.mayRefuse(place)).isFalse();
    tab.crash();
    assertThat(scene.ledger.mayRefuse(place)).isTrue();
    world.runFor(10_000);
    assertThat(scene.ledger.mayRefuse(place)).isFalse();
  }

  @Test
  void aCommitThatArrivesLateNeedNotKeepItsDistanceFromALaterOne() {
    Traffic.Sent late = commit();
    world.runFor(15_000);
    Traffic.Sent next = commit();
    next.applied(world.now());
    tab.traffic.heard(next, STORED);
    world.runFor(1_000);
    tab.traffic.applied(late, new Cloud.Written("", Contents.NONE, Contents.NONE, false));
    Traffic.Sent hasty = commit();
    assertThatThrownBy(() ->
            tab.traffic.applied(hasty, new Cloud.Written("", Contents.NONE, Contents.NONE, false)))
        .hasMessageContaining("pushes keep their distance");
  }

  @Test
  void aWriteThatWasRefusedBeginsAnewWhenSyncIsSwitchedOn() {
    device.values.put(
        Meta.key(SITE), "{\"schemaVersion\":1,\"dirty\":{\"read\":true},\"lastUserId\":\"bob\"}");
    SyncStatus fine = new SyncStatus(SyncStatus.Kind.OK, "Sync: OK", "");
    tab.traffic.heard(commit(), new Http.Answer(403, "", null));
    assertThatThrownBy(() -> tab.traffic.shows(fine)).hasMessageContaining("the label says OK");
    tab.traffic.forget();
    tab.traffic.shows(fine);
  }

  private Traffic.Sent commit() {
    return tab.traffic.send(new Http.Request(Http.Method.POST, "http://cloud.test", "{}", 15_000));
  }
}
