package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.text.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What once got sync stuck, or made it destroy or hide something to get unstuck. */
@NullUnmarked
class UnstuckTest {

  private static final long YEAR = 365 * 86_400_000L;

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  private void waitActively(World.Tab tab, int minutes) {
    for (int i = 0; i < minutes; i++) {
      tab.sync.userActive();
      world.passMinutes(1);
    }
  }

  @Test
  @Tag("PR-PERSIST-53")
  void pushesUnderAClockThatIsYearsAheadAreCountedOnTheServersDay() {
    device.clockError = 4 * YEAR;
    World.Tab tab = device.tab(World.config(Site.LESSWRONG).dailyPushes(2, 3).build());
    tab.start();
    world.passSeconds(1);
    for (int i = 0; i < 3; i++) {
      tab.sync.reader().setAuthorPreference("A" + i, 1);
      waitActively(tab, 11);
    }
    tab.close();
    device.clockError = 0;
    World.Tab later = device.tab(World.config(Site.LESSWRONG).dailyPushes(2, 3).build());
    later.start();
    later.sync.reader().setAuthorPreference("Ann", 1);
    waitActively(later, 24 * 60);
    assertThat(world.stored().authorPrefs().value()).containsKey("Ann");
  }

  @Test
  @Tag("PR-PERSIST-53")
  void aDayThatLiesInTheFutureIsRepairedAsSoonAsTheServerTellsTheTime() {
    device.started().close();
    device.values.put(
        "power-reader-sync-quota-meta",
        "{\"schemaVersion\":1,\"mode\":\"local_budget_limited\",\"dayKeyUtc\":\"2030-01-01\","
            + "\"pushesToday\":200,\"people\":{\"user123\":{\"pushesToday\":200}}}");
    World.Tab tab = device.started();
    tab.read("abc");
    waitActively(tab, 15 * 60);
    assertThat(world.stored().read().value()).containsExactly("abc");
  }

  @Test
  @Tag("PR-PERSIST-71")
  @Tag("PR-PERSIST-73")
  void aProjectWithoutADatabaseHasALabelOfItsOwnAndIsAskedRarely() {
    String gone = "{\"error\":{\"code\":404,\"status\":\"NOT_FOUND\",\"message\":"
        + "\"The database (default) does not exist for project demo\"}}";
    firestore.always = firestore.answer(404, gone);
    World.Tab tab = device.started();
    tab.read("abc");
    waitActively(tab, 60);
    assertThat(firestore.commits()).isEmpty();
    assertThat(firestore.requests).hasSizeLessThan(12);
    assertThat(tab.label()).isEqualTo("Sync: not set up (the project has no Firestore database)");
    firestore.always = null;
    waitActively(tab, 61);
    assertThat(world.stored().read().value()).containsExactly("abc");
    assertThat(tab.label()).startsWith("Sync: OK");
  }

  @Test
  @Tag("PR-PERSIST-71")
  void aCreationThatFindsNothingToCreateInMeansThatThereIsNoDatabase() {
    World.Tab tab = device.started();
    firestore.always = (request, callback) -> request.method() == Http.Method.POST
        && firestore.error(404, "NOT_FOUND").befall(request, callback);
    tab.read("abc");
    waitActively(tab, 60);
    assertThat(firestore.commits()).hasSizeLessThan(8);
    assertThat(tab.label()).startsWith("Sync: not set up");
  }

  @Test
  @Tag("PR-PERSIST-26")
  void whileEveryPushLosesItsRaceTheLabelDoesNotSayOk() {
    World.Tab tab = device.started();
    firestore.always = (request, callback) -> request.method() == Http.Method.POST
        && firestore.error(409, "ABORTED").befall(request, callback);
    tab.read("abc");
    world.passSeconds(20);
    List<String> labels = new ArrayList<>();
    for (int second = 0; second < 120; second++) {
      world.passSeconds(1);
      labels.add(tab.label());
    }
    assertThat(labels).contains("Sync: busy (retrying...)").noneMatch(x -> x.contains("OK"));
  }

  @Test
  @Tag("PR-PERSIST-56")
  void aPullThatWorksDoesNotHideThatPushesFail() {
    World.Tab tab = device.started();
    firestore.always = (request, callback) -> request.method() == Http.Method.POST
        && firestore.error(503, "UNAVAILABLE").befall(request, callback);
    tab.read("abc");
    world.passSeconds(20);
    tab.sync.pull(() -> {});
    world.passSeconds(1);
    assertThat(tab.label()).isEqualTo("Sync: offline (retrying...)");
  }

  @Test
  @Tag("PR-PERSIST-56")
  void aPullThatWorksDoesNotHideThatARefusedPushCouldNotLookWhatIsThere() {
    for (FakeFirestore.Mischief refusal : List.of(
        firestore.error(403, "PERMISSION_DENIED"), firestore.error(400, "FAILED_PRECONDITION"))) {
      World.Tab tab = device.started();
      tab.sync.reader().setAuthorPreference("before" + world.elapsed(), 1);
      world.passSeconds(60);
      firestore.nextCommit(refusal);
      firestore.nextRead(firestore.fail(Http.Cause.OFFLINE));
      tab.sync.reader().setAuthorPreference("refused" + world.elapsed(), 1);
      world.passSeconds(9);
      tab.statuses.clear();
      int reads = firestore.reads().size();
      tab.sync.pull(() -> {});
      while (firestore.reads().size() == reads) {
        // The push waits for more changes, the pull does not.
        tab.sync.reader().setAuthorPreference("more" + world.elapsed(), 1);
        world.passSeconds(1);
      }
      assertThat(device.meta().dirty()).isTrue();
      assertThat(tab.statuses).noneMatch(status -> status.kind() == SyncStatus.Kind.OK);
      world.passMinutes(2);
      assertThat(device.meta().dirty()).isFalse();
      assertThat(tab.label()).startsWith("Sync: OK");
      tab.close();
    }
  }

  @Test
  void theEndOfACooldownDoesNotHideThatARefusedPushCouldNotLookWhatIsThere() {
    World.Tab tab = device.started();
    tab.sync.reader().setAuthorPreference("before", 1);
    world.passSeconds(60);
    firestore.nextCommit(firestore.error(403, "PERMISSION_DENIED"));
    firestore.nextRead(firestore.error(429, "RESOURCE_EXHAUSTED"));
    tab.sync.reader().setAuthorPreference("refused", 1);
    world.passSeconds(9);
    assertThat(tab.label()).startsWith("Sync: quota-limited");
    // Another tab finds out that there is quota again.
    device.values.remove("power-reader-sync-quota-meta");
    device.shared.clear();
    assertThat(tab.label()).isEqualTo("Sync: busy (retrying...)");
    tab.sync.pageFocused();
    world.passMinutes(2);
    assertThat(device.meta().dirty()).isFalse();
    assertThat(tab.label()).startsWith("Sync: OK");
  }

  @Test
  @Tag("PR-PERSIST-50")
  void aQuotaOnWritesAloneIsProbedWithAWriteAndEscalates() {
    World.Tab tab = device.started();
    firestore.always = (request, callback) -> request.method() == Http.Method.POST
        && firestore.error(429, "RESOURCE_EXHAUSTED").befall(request, callback);
    tab.sync.reader().setAuthorPreference("Ann", 1);
    waitActively(tab, 12 * 60);
    assertThat(firestore.commits()).hasSizeLessThan(8);
    firestore.always = null;
    waitActively(tab, 6 * 60);
    assertThat(world.stored().authorPrefs().value()).containsKey("Ann");
    assertThat(tab.label()).startsWith("Sync: OK");
  }

  @Test
  @Tag("PR-PERSIST-14")
  @Tag("PR-PERSIST-53")
  void fiveWindowsPushNoMoreOftenThanOne() {
    List<World.Tab> windows = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      windows.add(device.started());
    }
    for (int second = 0; second < 600; second++) {
      windows.get(second % 5).sync.userActive();
      windows.get(second % 5).read("m" + second);
      world.passSeconds(1);
    }
    assertThat(firestore.commits()).hasSizeBetween(12, 14);
  }

  @Test
  @Tag("PR-PERSIST-14")
  @Tag("PR-PERSIST-74")
  void theWaitForMoreChangesGoesOnWhenTheReaderGoesOnInAnotherTab() {
    World.Tab one = device.started();
    World.Tab two = device.started();
    one.sync.reader().setAuthorPreference("A", 1);
    world.passSeconds(6);
    two.sync.reader().setAuthorPreference("B", 1);
    world.passSeconds(6);
    assertThat(firestore.commits()).isEmpty();
    world.passSeconds(3);
    assertThat(firestore.commits()).hasSize(1);
    assertThat(world.stored().authorPrefs().value()).containsOnlyKeys("A", "B");
  }

  @Test
  @Tag("PR-PERSIST-53")
  void theNextReaderDoesNotInheritASpentBudget() {
    SyncConfig config = World.config(Site.LESSWRONG).dailyPushes(1, 1).build();
    World.Tab alice = device.tab(config);
    alice.start();
    alice.sync.reader().setAuthorPreference("Ann", 1);
    world.passSeconds(10);
    assertThat(alice.label()).contains("budget");
    alice.close();
    world.forum.logIn("bob", FakeForum.withSecret("bobs-secret-bobs-secret"));
    World.Tab bob = device.tab(config);
    bob.start();
    world.passSeconds(1);
    bob.sync.reader().setAuthorPreference("Bea", 1);
    world.passSeconds(20);
    assertThat(world.stored().authorPrefs().value()).containsOnlyKeys("Bea");
    bob.close();
    world.forum.logIn("user123", FakeForum.withSecret(FakeForum.SECRET));
    World.Tab again = device.tab(config);
    again.start();
    world.passSeconds(1);
    assertThat(again.label()).as("and gives none back").contains("budget");
  }

  @Test
  @Tag("PR-PERSIST-04")
  void aFirstPullThatFailsIsTriedAgainWithinTheFiveSeconds() {
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    firestore.nextRead(firestore.error(503, "UNAVAILABLE"));
    World.Tab tab = device.started();
    assertThat(tab.outcomes).isEmpty();
    world.passSeconds(3);
    assertThat(tab.outcomes).containsExactly(StartOutcome.HYDRATED);
    assertThat(tab.sync.reader().read()).containsExactly("theirs");
  }

  @Test
  @Tag("PR-PERSIST-54")
  void aTabThatOpensInTheBackgroundCountsAsHidden() {
    device.tab().read("before");
    World.Tab tab = device.tab();
    tab.sync.pageHidden();
    tab.start();
    world.passMinutes(60);
    assertThat(firestore.commits()).isEmpty();
    assertThat(firestore.fullReads()).as("only the first pull").hasSize(1);
    tab.sync.pageVisible();
    world.passSeconds(10);
    assertThat(world.stored().read().value()).containsExactly("before");
  }

  @Test
  @Tag("PR-PERSIST-25")
  void aForgedEpochDoesNotUseUpAllResets() {
    device.started().read("mine");
    world.passSeconds(9);
    firestore.plant(world.forum.node(), Fixtures.read(1_000_000_000, "forged"));
    World.Tab tab = device.started();
    assertThat(tab.label()).startsWith("Sync: remote-invalid");
    for (int round = 0; round < 3; round++) {
      World.Tab page = device.resetPage();
      assertThat(page.resets).containsExactly(ResetOutcome.EVERYWHERE);
      page.close();
      assertThat(world.stored().read().clearEpoch()).isEqualTo(round + 1);
    }
  }

  @Test
  @Tag("PR-PERSIST-18")
  void whateverItsKeysLookLikeAnExportCanBeImported() {
    Random random = new Random(7);
    for (int round = 0; round < 300; round++) {
      World.Device odd = world.device();
      StringBuilder key = new StringBuilder();
      for (int i = 0; i <= random.nextInt(80); i++) {
        key.append((char) random.nextInt(random.nextBoolean() ? 128 : 65_536));
      }
      String name = random.nextInt(10) == 0 ? "__proto__" : key.toString();
      odd.values.put("power-reader-read", Json.write(Map.of(name, 1)));
      odd.values.put("power-reader-author-prefs", Json.write(Map.of(name, -1)));
      odd.values.put("power-reader-read-from", random.nextBoolean() ? "soon" : Fixtures.DAY_1);
      World.Tab tab = odd.tab();
      String export = tab.sync.exportState();
      World.Tab other = world.device().tab();
      other.sync.importState(export);
      assertThat(other.sync.reader().read()).isEqualTo(tab.sync.reader().read());
      assertThat(other.sync.exportState()).isEqualTo(export);
    }
  }
}
