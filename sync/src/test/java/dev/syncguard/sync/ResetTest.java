package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.remote.Envelope;
import dev.syncguard.sync.remote.QuotaMeta;
import dev.syncguard.sync.text.Iso;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a reset clears, here and everywhere. */
@NullUnmarked
class ResetTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  @Test
  @Tag("PR-PERSIST-05")
  @Tag("PR-PERSIST-25")
  @Tag("PR-PERSIST-28")
  @Tag("PR-PERSIST-81")
  @Tag("T48")
  @Tag("T62")
  @Tag("T63")
  @Tag("T94")
  @Tag("T130")
  void aResetEmptiesTheDeviceAndTheRemoteInHigherEpochs() {
    firestore.plant(world.forum.node(), Fixtures.full());
    World.Tab reader = device.started();
    reader.read("more");
    reader.close();
    device.values.put("power-reader-view-width", "800");
    device.values.put("helpCollapsed", "true");
    device.values.put("power-reader-sync-enabled", "true");
    String id = device.values.get("power-reader-device-id");
    String quota = device.values.get("power-reader-sync-quota-meta");
    firestore.requests.clear();
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(world.storedEpochs()).containsExactly(3, 5, 7);
    assertThat(world.stored().read().value()).isEmpty();
    assertThat(world.stored().authorPrefs().value()).isEmpty();
    assertThat(world.stored().loadFrom().value()).isEmpty();
    assertThat(world.stored().loadFrom().version()).isEqualTo(6);
    Envelope pushed = firestore.lastPushed();
    assertThat(pushed.lastPushedBy()).isEqualTo(id);
    assertThat(Iso.millis(pushed.expiresAt()) - Iso.millis(pushed.lastPushedAt()))
        .isEqualTo(180 * 86_400_000L);
    assertThat(firestore.requests).as("one read and one write, no pull before").hasSize(2);
    assertThat(world.forum.updates).isZero();
    assertThat(device.values)
        .doesNotContainKeys(
            "power-reader-read",
            "power-reader-read-from",
            "power-reader-author-prefs",
            "power-reader-view-width",
            "helpCollapsed");
    assertThat(device.values)
        .containsEntry("power-reader-device-id", id)
        .containsEntry("power-reader-sync-enabled", "true");
    assertThat(quota == null || device.values.containsKey("power-reader-sync-quota-meta"))
        .isTrue();
    assertThat(device.meta().dirty()).isFalse();
    assertThat(device.meta().pendingReset()).isNull();
  }

  @Test
  @Tag("PR-PERSIST-05")
  @Tag("T94")
  void aResetKeepsWhatIsKnownOfQuotas() {
    World.Tab reader = device.started();
    reader.read("abc");
    world.passSeconds(9);
    device.resetPage();
    QuotaMeta quota = QuotaMeta.read(device.values.get("power-reader-sync-quota-meta"));
    assertThat(quota.pushesOf("user123").today()).isEqualTo(2);
  }

  @Test
  @Tag("PR-PERSIST-05")
  void whatIsMarkedRightAfterAResetIsNotLost() {
    firestore.plant(world.forum.node(), Fixtures.full());
    device.started().close();
    device.resetPage().close();
    firestore.always = firestore.fail(Http.Cause.OFFLINE);
    World.Tab tab = device.started();
    tab.read("after");
    world.passSeconds(1);
    firestore.always = null;
    world.passMinutes(3);
    assertThat(world.stored().read().value()).containsExactly("after");
    assertThat(tab.sync.reader().read()).containsExactly("after");
  }

  @Test
  @Tag("PR-PERSIST-22")
  @Tag("PR-PERSIST-05")
  void otherDevicesDropWhatTheyHad() {
    World.Device other = world.device();
    World.Tab two = other.started();
    two.read("old");
    world.passSeconds(9);
    device.started().close();
    device.resetPage();
    two.read("old-too");
    world.passMinutes(3);
    two.sync.pageFocused();
    world.passMinutes(1);
    assertThat(two.sync.reader().read()).isEmpty();
    assertThat(world.stored().read().value()).isEmpty();
    two.read("new");
    world.passMinutes(1);
    assertThat(world.stored().read().value()).containsExactly("new");
  }

  @Test
  @Tag("PR-PERSIST-05")
  void somebodyWhoNeverLoggedInHasNothingRemoteToClear() {
    world.forum.logOut();
    World.Tab anonymous = device.tab();
    anonymous.read("abc");
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(device.meta().pendingReset()).isNull();
    assertThat(page.sync.reader().read()).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-05")
  void aResetWorksWhileSyncIsSwitchedOffAndWhenTheForumIsSilent() {
    World.Tab tab = device.started();
    tab.read("abc");
    world.passSeconds(9);
    tab.sync.setEnabled(false);
    tab.reset();
    world.passSeconds(2);
    assertThat(tab.resets).containsExactly(ResetOutcome.EVERYWHERE);
    assertThat(world.stored().read().value()).isEmpty();
    world.forum.silent = true;
    World.Tab page = device.resetPage();
    assertThat(page.resets).containsExactly(ResetOutcome.PENDING);
  }

  @Test
  @Tag("PR-PERSIST-42")
  void nothingIsEverDeleted() {
    firestore.plant(world.forum.node(), Fixtures.full());
    device.started().close();
    device.resetPage();
    assertThat(firestore.requests)
        .allMatch(request -> request.body() == null || !request.body().contains("\"delete\""));
    assertThat(firestore.documents).hasSize(1);
    assertThat(Map.copyOf(device.shared)).doesNotContainKey("pr-sync-lock-lw-user123");
  }
}
