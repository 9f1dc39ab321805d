package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The reader works and nobody waits for long, whatever fails beneath sync. */
@NullUnmarked
class ReaderWithoutSyncTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  @Test
  @Tag("PR-PERSIST-04")
  @Tag("T50")
  @Tag("T52")
  void whenEverythingFailsTheReaderWorksAllTheSame() {
    world.firestore.always = world.firestore.fail(Http.Cause.OFFLINE);
    World.Tab tab = device.started();
    world.passSeconds(4);
    assertThat(tab.outcomes).containsExactly(StartOutcome.LOCAL_FOR_NOW);
    tab.read("abc");
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passMinutes(30);
    assertThat(tab.sync.reader().read()).containsExactly("abc");
    assertThat(tab.label()).isEqualTo("Sync: offline (retrying...)");
    world.firestore.always = null;
    tab.sync.userActive();
    world.passMinutes(3);
    assertThat(world.stored().read().value()).containsExactly("abc");
  }

  @Test
  @Tag("PR-PERSIST-04")
  void portsThatThrowReachNobody() {
    device.http = (request, callback) -> {
      throw new IllegalStateException("blocked");
    };
    device.exclusion = (name, outcome) -> {
      throw new IllegalStateException("broken");
    };
    device.sharedIsBroken = true;
    World.Tab tab = device.started();
    tab.read("abc");
    world.passMinutes(5);
    assertThat(tab.outcomes).containsExactly(StartOutcome.LOCAL_FOR_NOW);
    assertThat(tab.sync.reader().read()).containsExactly("abc");
  }

  @Test
  @Tag("PR-PERSIST-04")
  void aForumThatNeverAnswersDelaysTheReaderByFiveSecondsAtMost() {
    world.forum.silent = true;
    World.Tab tab = device.tab();
    tab.start();
    world.passSeconds(5);
    assertThat(tab.outcomes).containsExactly(StartOutcome.LOCAL_FOR_NOW);
    world.passSeconds(20);
    assertThat(tab.label()).isEqualTo("Sync: unavailable");
  }

  @Test
  @Tag("PR-PERSIST-68")
  void aBuildWithoutAProjectStaysLocal() {
    World.Tab tab = device.tab(SyncConfig.builder(Site.LESSWRONG).build());
    tab.start();
    tab.read("abc");
    world.passMinutes(5);
    assertThat(tab.outcomes).containsExactly(StartOutcome.WITHOUT_SYNC);
    assertThat(world.firestore.requests).isEmpty();
    assertThat(world.forum.queries).isZero();
  }

  @Test
  @Tag("PR-PERSIST-04")
  void whoWaitsGoesOnWhenNothingCanBeStoredAnyMore() {
    World.Tab tab = device.started();
    List<String> over = new ArrayList<>();
    device.values.clear();
    device.valuesCannotBeStored = true;
    tab.sync.pull(() -> over.add("pull"));
    world.passMinutes(1);
    assertThat(over).containsExactly("pull");
    tab.sync.flush(() -> over.add("push"));
    world.passMinutes(1);
    assertThat(over).containsExactly("pull", "push");
  }

  @Test
  @Tag("PR-PERSIST-04")
  void syncGoesOnWhenValuesCanBeStoredAgain() {
    World.Tab tab = device.started();
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    device.valuesCannotBeStored = true;
    tab.sync.pull(() -> {});
    world.passSeconds(1);
    assertThat(tab.sync.reader().read()).isEmpty();
    device.valuesCannotBeStored = false;
    for (int minute = 0; minute < 15; minute++) {
      tab.sync.userActive();
      world.passMinutes(1);
    }
    assertThat(tab.sync.reader().read()).containsExactly("theirs");
  }
}
