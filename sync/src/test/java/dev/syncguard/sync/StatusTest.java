package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.engine.DebugSummary;
import dev.syncguard.sync.engine.Identification;
import dev.syncguard.sync.engine.Log;
import dev.syncguard.sync.engine.SyncSecret;
import dev.syncguard.sync.remote.AnchoredClock;
import dev.syncguard.sync.remote.Envelope;
import dev.syncguard.sync.remote.RemoteDocument;
import dev.syncguard.sync.state.Owner;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.text.Iso;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a reader is told, and the time behind it. */
@NullUnmarked
class StatusTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  @Test
  @Tag("PR-PERSIST-56")
  @Tag("T49")
  void theLabelTellsHowLongAgoSyncLastWorked() {
    World.Tab tab = device.tab();
    tab.start();
    assertThat(tab.label()).isEqualTo("Syncing...");
    world.pass(100);
    assertThat(tab.label()).isEqualTo("Sync: OK (0s ago)");
    world.passSeconds(59);
    assertThat(tab.label()).isEqualTo("Sync: OK (59s ago)");
    world.passSeconds(61);
    assertThat(tab.label()).isEqualTo("Sync: OK (2m ago)");
    world.passMinutes(180);
    assertThat(tab.label()).isEqualTo("Sync: OK (3h ago)");
    tab.sync.userActive();
    assertThat(tab.label()).isEqualTo("Sync: syncing...");
    assertThat(tab.statuses)
        .extracting(SyncStatus::kind)
        .startsWith(SyncStatus.Kind.STARTING, SyncStatus.Kind.OK);
  }

  @Test
  @Tag("PR-PERSIST-80")
  @Tag("T129")
  void aRequestThatIsNotLetOutIsToldApartFromANetworkThatIsDown() {
    firestore.always = firestore.fail(Http.Cause.REFUSED);
    World.Tab tab = device.started();
    assertThat(tab.label()).isEqualTo("Sync blocked by userscript permissions/connectivity");
    tab.read("abc");
    assertThat(tab.sync.reader().read()).containsExactly("abc");
    firestore.always = null;
    world.passMinutes(2);
    assertThat(tab.label()).startsWith("Sync: OK");
    firestore.always = firestore.fail(Http.Cause.REFUSED);
    tab.read("def");
    world.passMinutes(1);
    assertThat(tab.label()).as("it has worked before").isEqualTo("Sync: offline (retrying...)");
    World.Tab other = world.device().started();
    firestore.always = firestore.fail(Http.Cause.OFFLINE);
    World.Tab offline = world.device().started();
    assertThat(other.label()).startsWith("Sync blocked");
    assertThat(offline.label()).isEqualTo("Sync: offline (retrying...)");
  }

  @Test
  @Tag("PR-PERSIST-48")
  @Tag("PR-PERSIST-83")
  @Tag("T134")
  @Tag("T83")
  void everyWriteExpires180DaysAfterTheServersTimeWhateverOurClockSays() {
    for (long days : new long[] {0, 400, -400}) {
      World.Device skewed = world.device();
      skewed.clockError = days * 86_400_000L;
      World.Tab tab = skewed.started();
      tab.sync.reader().setAuthorPreference("A" + days, 1);
      world.passSeconds(12);
      Envelope pushed = firestore.lastPushed();
      assertThat(pushed.fields().authorPrefs().value())
          .as("clock off by " + days)
          .containsKey("A" + days);
      assertThat(Iso.millis(pushed.lastPushedAt()) - world.trueMillis())
          .isBetween(-15_000L, 1_000L);
      assertThat(Iso.millis(pushed.expiresAt()) - Iso.millis(pushed.lastPushedAt()))
          .isEqualTo(180 * 86_400_000L);
      tab.close();
    }
  }

  @Test
  @Tag("PR-PERSIST-83")
  @Tag("T134")
  void withoutAnAnchorTheClockOfTheDeviceIsUsedAndARefusalCorrectsIt() {
    firestore.datesAreVisible = false;
    device.clockError = 400 * 86_400_000L;
    World.Tab tab = device.started();
    tab.read("abc");
    world.passSeconds(7);
    firestore.datesAreVisible = true;
    world.passSeconds(2);
    assertThat(firestore.commits()).as("refused once, corrected once").hasSize(2);
    assertThat(firestore.stored(world.forum.node()).fields().read().value()).containsExactly("abc");
    assertThat(tab.label()).startsWith("Sync: OK");
  }

  @Test
  @Tag("PR-PERSIST-83")
  void aRefusalThatTheClockDoesNotExplainIsFinal() {
    World.Tab tab = device.started();
    firestore.always = (request, callback) -> request.method() == Http.Method.POST
        && firestore.error(403, "PERMISSION_DENIED").befall(request, callback);
    tab.read("abc");
    world.passMinutes(2);
    assertThat(firestore.commits()).hasSize(1);
    assertThat(tab.label()).isEqualTo("Sync: push-disabled (permission)");
  }

  @Test
  @Tag("PR-PERSIST-83")
  void anOldDocumentIsALowerBoundForTheTimeAndNothingMore() {
    AnchoredClock[] clock = new AnchoredClock[1];
    long[] monotonic = {0};
    clock[0] = new AnchoredClock(new Clocks() {
      @Override
      public long wallMillis() {
        return 1_000;
      }

      @Override
      public long monotonicMillis() {
        return monotonic[0];
      }
    });
    assertThat(clock[0].nowMillis()).isEqualTo(1_000);
    clock[0].isAtLeast(5_000);
    assertThat(clock[0].nowMillis()).isEqualTo(5_000);
    clock[0].hear(90_000);
    monotonic[0] = 7_000;
    assertThat(clock[0].nowMillis()).isEqualTo(97_000);
    clock[0].isAtLeast(10_000);
    assertThat(clock[0].nowMillis()).isEqualTo(97_000);
  }

  @Test
  @Tag("PR-PERSIST-29")
  @Tag("T16")
  @Tag("T17")
  void theLastPushIsShownInTheServersTime() {
    World.Tab tab = device.started();
    tab.read("abc");
    world.passSeconds(9);
    assertThat(tab.sync.debugSummary())
        .contains("last push: " + firestore.token(world.forum.node()).substring(0, 19));
    assertThat(firestore.commits().get(0).body()).doesNotContain("lastPushedAtMs");
    long now = world.trueMillis();
    String tomorrow = Iso.text(now + 86_400_000);
    assertThat(DebugSummary.shown(tomorrow, now)).isEqualTo(tomorrow);
    assertThat(DebugSummary.shown(Iso.text(now + 86_400_001), now))
        .isEqualTo(Iso.text(now + 300_000));
    assertThat(DebugSummary.shown("rubbish", now)).isEqualTo("unknown");
    assertThat(DebugSummary.shown(null, now)).isEqualTo("unknown");
  }

  @Test
  @Tag("PR-PERSIST-56")
  void theDebugSummaryTellsWhatAnEngineerNeeds() {
    World.Tab tab = device.started();
    tab.read("abc");
    assertThat(tab.sync.debugSummary().lines().map(line -> line.substring(0, line.indexOf(':'))))
        .containsExactly(
            "status",
            "site",
            "tab",
            "node",
            "mode",
            "last success",
            "last push",
            "last error",
            "dirty",
            "reset pending",
            "fill",
            "retries",
            "quota");
    assertThat(tab.sync.debugSummary())
        .contains("dirty: read=true loadFrom=false authorPrefs=false");
  }

  @Test
  void nothingThatCarriesASecretShowsItAsText() {
    List<Object> carriers = List.of(
        new Http.Request(Http.Method.GET, "secret", "secret", 1),
        new Http.Answer(200, "secret", null),
        new ForumIdentity.User("secret", "secret"),
        new SyncSecret.Present("secret"),
        new Identification.Reader("secret", "secret"),
        SyncMeta.fresh("d").with(new Owner("secret", 0)),
        new Owner("secret", 0),
        new RemoteDocument.Found(Fixtures.envelope(Fixtures.none()), "secret", 0));
    assertThat(carriers).extracting(Object::toString).noneMatch(text -> text.contains("secret"));
  }

  @Test
  void aListenerThatThrowsStopsNothing() {
    Log log = new Log(new Listener() {
      @Override
      public void log(Level level, String text) {
        throw new IllegalStateException("no console");
      }
    });
    log.warn("x");
    log.info("y");
    log.debug("z");
  }
}
