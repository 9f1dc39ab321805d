package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.engine.SyncSecret;
import dev.syncguard.sync.state.SyncNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@NullUnmarked
class BootstrapTest {

  private static final String LOCK = "pr-sync-lock-lw-user123";

  private final World world = new World();
  private final World.Device device = world.device();

  private World.Tab start() {
    World.Tab tab = device.tab();
    tab.start();
    world.passSeconds(3);
    return tab;
  }

  private static String secret(String overrides) {
    return ((SyncSecret.Present) SyncSecret.of(new ForumIdentity.User("user123", overrides)))
        .value();
  }

  @Test
  @Tag("PR-PERSIST-15")
  @Tag("T2")
  @Tag("T3")
  @Tag("T6")
  void aMissingSecretIsMadeOnceBesideWhatIsThere() {
    world.forum.logIn("user123", "{\"someTest\":3,\"pi\":3.1400}");
    World.Tab tab = start();
    assertThat(world.forum.overrides)
        .startsWith("{\"someTest\":3,\"pi\":3.1400,\"pr_sync_secret_v1\":\"");
    assertThat(secret(world.forum.overrides)).hasSize(36);
    assertThat(world.forum.updates).isEqualTo(1);
    assertThat(world.forum.queries).as("start-up, look again, verify").isEqualTo(3);
    assertThat(tab.outcomes).containsExactly(StartOutcome.HYDRATED);
    start();
    assertThat(world.forum.updates).as("once and for all").isEqualTo(1);
  }

  @Test
  @Tag("PR-PERSIST-15")
  @Tag("T2")
  void noOverridesAtAllCountAsEmpty() {
    world.forum.logIn("user123", null);
    start();
    assertThat(world.forum.overrides).startsWith("{\"pr_sync_secret_v1\":\"");
  }

  @Test
  @Tag("PR-PERSIST-15")
  void withASecretThereIsOneQueryAndNoUpdate() {
    start();
    assertThat(world.forum.queries).isEqualTo(1);
    assertThat(world.forum.updates).isZero();
  }

  @Test
  @Tag("PR-PERSIST-15")
  void aPageThatKnowsItsReaderSparesTheQuery() {
    World.Tab tab = device.tab();
    tab.sync.start(new ForumIdentity.User("user123", world.forum.overrides), tab.outcomes::add);
    world.passSeconds(1);
    assertThat(tab.outcomes).containsExactly(StartOutcome.HYDRATED);
    assertThat(world.forum.queries).isZero();
  }

  @Test
  @Tag("PR-PERSIST-15")
  @Tag("T4")
  void whatTheForumStoredCountsNotWhatWeSent() {
    world.forum.logIn("user123", "{}");
    String theirs = FakeForum.withSecret("another-tabs-secret");
    world.forum.afterUpdate = () -> world.forum.overrides = theirs;
    world.forum.scripted.add(new ForumIdentity.User("user123", "{}"));
    world.forum.scripted.add(new ForumIdentity.User("user123", "{}"));
    world.forum.scripted.add(new ForumIdentity.User("user123", theirs));
    world.forum.overrides = theirs;
    World.Tab tab = start();
    tab.read("abc");
    world.passSeconds(9);
    assertThat(world.firestore.documents.keySet())
        .allMatch(name ->
            name.endsWith(SyncNode.derive(Site.LESSWRONG, "user123", "another-tabs-secret")));
  }

  @Test
  @Tag("PR-PERSIST-15")
  @Tag("T5")
  void anOverwrittenSecretIsNoticedAndTriedAgainTwice() {
    world.forum.logIn("user123", "{}");
    world.forum.afterUpdate = () -> {
      if (world.forum.updates < 3) {
        world.forum.overrides = "{}";
      }
    };
    World.Tab tab = start();
    assertThat(world.forum.updates).isEqualTo(3);
    assertThat(tab.outcomes).containsExactly(StartOutcome.HYDRATED);
  }

  @Test
  @Tag("PR-PERSIST-15")
  @Tag("T5")
  void whenItNeverSticksThereIsNoSyncAndNoStorm() {
    world.forum.logIn("user123", "{}");
    world.forum.afterUpdate = () -> world.forum.overrides = "{}";
    World.Tab tab = start();
    int queries = world.forum.queries;
    world.passMinutes(60);
    assertThat(world.forum.updates).isEqualTo(3);
    assertThat(world.forum.queries).isEqualTo(queries);
    assertThat(tab.label()).isEqualTo("Sync: unavailable");
    assertThat(tab.outcomes).containsExactly(StartOutcome.WITHOUT_SYNC);
    assertThat(world.firestore.requests).isEmpty();
    assertThat(device.shared).doesNotContainKey(LOCK);
  }

  @Test
  @Tag("PR-PERSIST-15")
  @Tag("T7")
  void somethingElseInItsPlaceIsNotOverwritten() {
    for (String odd : List.of(
        "{\"pr_sync_secret_v1\":7}",
        "{\"pr_sync_secret_v1\":\"short\"}",
        "{\"pr_sync_secret_v1\":null}",
        "[]")) {
      world.forum.logIn("user123", odd);
      World.Tab tab = start();
      assertThat(tab.label()).as(odd).isEqualTo("Sync: unavailable");
      assertThat(world.forum.updates).as(odd).isZero();
      assertThat(world.forum.overrides).isEqualTo(odd);
    }
    world.forum.logIn("a-user-id-of-17-chars", FakeForum.withSecret("a-user-id-of-17-chars"));
    assertThat(start().label()).isEqualTo("Sync: unavailable");
    assertThat(world.firestore.requests).isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-63")
  @Tag("PR-PERSIST-64")
  @Tag("T31")
  void withoutAnyLockTheSecretIsStillVerified() {
    device.sharedIsBroken = true;
    world.forum.logIn("user123", "{}");
    assertThat(start().outcomes).containsExactly(StartOutcome.HYDRATED);
    assertThat(world.forum.updates).isEqualTo(1);
  }

  @Test
  @Tag("PR-PERSIST-63")
  @Tag("T108")
  void aTabThatFindsTheLockTakenWritesNothingAndAdopts() {
    world.forum.logIn("user123", "{}");
    device.shared.put(
        LOCK, "{\"token\":\"other\",\"expiresAtMs\":" + (world.trueMillis() + 9_000) + "}");
    world.schedule(500, () -> world.forum.overrides = FakeForum.withSecret("made-by-another-tab"));
    World.Tab tab = start();
    assertThat(world.forum.updates).isZero();
    assertThat(tab.outcomes).containsExactly(StartOutcome.HYDRATED);
    assertThat(device.shared.get(LOCK)).as("not ours to release").contains("other");
  }

  @Test
  @Tag("PR-PERSIST-63")
  @Tag("T109")
  void anExpiredOrUnreadableLockIsFree() {
    for (String stale : List.of(
        "{\"token\":\"other\",\"expiresAtMs\":" + (world.trueMillis() - 1) + "}",
        "rubbish",
        "{}")) {
      world.forum.logIn("user123", "{}");
      device.shared.put(LOCK, stale);
      assertThat(start().outcomes).as(stale).containsExactly(StartOutcome.HYDRATED);
      assertThat(device.shared).doesNotContainKey(LOCK);
    }
    assertThat(world.forum.updates).isEqualTo(3);
  }

  @Test
  @Tag("PR-PERSIST-63")
  @Tag("T108")
  void theLockNamesItsOwnerAndWhenItEnds() {
    world.forum.logIn("user123", "{}");
    device.tab().start();
    world.pass(12);
    assertThat(device.shared.get(LOCK))
        .startsWith("{\"token\":\"")
        .contains("\"expiresAtMs\":" + (world.trueMillis() - 7 + 10_000));
    device.shared.put(LOCK, "{\"token\":\"thief\",\"expiresAtMs\":99999999999999}");
    world.passSeconds(2);
    assertThat(device.shared.get(LOCK)).contains("thief");
  }

  @Test
  @Tag("PR-PERSIST-64")
  @Tag("T110")
  void theLockOfTheBrowserComesFirstAndIsLeftInTheEnd() {
    int[] inside = {0, 0};
    device.exclusion = (name, outcome) -> {
      assertThat(name).isEqualTo(LOCK);
      inside[0]++;
      outcome.entered(() -> inside[1]++);
    };
    world.forum.logIn("user123", "{}");
    world.forum.afterUpdate = () -> assertThat(device.shared).doesNotContainKey(LOCK);
    start();
    assertThat(inside).containsExactly(1, 1);
    assertThat(world.forum.updates).isEqualTo(1);
  }

  @Test
  @Tag("PR-PERSIST-64")
  @Tag("T110")
  void aBrowserLockThatThrowsIsReplacedByOurs() {
    device.exclusion = (name, outcome) -> {
      throw new IllegalStateException("not here");
    };
    world.forum.logIn("user123", "{}");
    world.forum.afterUpdate = () -> assertThat(device.shared).containsKey(LOCK);
    assertThat(start().outcomes).containsExactly(StartOutcome.HYDRATED);
    assertThat(device.shared).doesNotContainKey(LOCK);
  }

  @Test
  @Tag("PR-PERSIST-64")
  void aBusyBrowserLockMeansWaitingForTheOther() {
    device.exclusion = (name, outcome) -> outcome.busy();
    world.forum.logIn("user123", "{}");
    assertThat(start().label()).isEqualTo("Sync: unavailable");
    assertThat(world.forum.updates).isZero();
    assertThat(world.forum.queries).as("start-up and three looks").isEqualTo(4);
  }

  @Test
  @Tag("PR-PERSIST-15")
  void twoTabsAtOnceAgreeOnOneSecret() {
    world.forum.logIn("user123", "{}");
    World.Tab one = device.tab();
    World.Tab two = device.tab();
    one.start();
    two.start();
    world.passSeconds(2);
    one.read("one");
    two.read("two");
    world.passSeconds(60);
    assertThat(world.forum.updates).isEqualTo(1);
    assertThat(world.firestore.documents).hasSize(1);
  }

  @Test
  @Tag("PR-PERSIST-24")
  @Tag("T64")
  @Tag("T2")
  void theForumsAnswersMeanThis() {
    String user = "{\"data\":{\"currentUser\":{\"_id\":\"u\",\"abTestOverrides\":%s}}}";
    assertThat(GraphQlForum.currentUser(user.replace("%s", "{\"a\":1.50}")))
        .isEqualTo(new ForumIdentity.User("u", "{\"a\":1.50}"));
    assertThat(GraphQlForum.currentUser(user.replace("%s", "null")))
        .isEqualTo(new ForumIdentity.User("u", null));
    assertThat(GraphQlForum.currentUser("{\"data\":{\"currentUser\":null}}"))
        .isInstanceOf(ForumIdentity.Anonymous.class);
    assertThat(GraphQlForum.currentUser("{\"data\":{\"currentUser\":{}}}"))
        .isInstanceOf(ForumIdentity.Nameless.class);
    for (String rubbish : List.of(
        "",
        "<html>",
        "{}",
        "{\"data\":null}",
        "{\"errors\":[{\"message\":\"down\"}]}",
        user.replace(
                "%s",
                "null}},\"errors\":[{\"message\":\"x\",\"path\":[\"currentUser\",\"karma\"]}]")
            .replace("}}}", ""))) {
      assertThat(GraphQlForum.currentUser(rubbish))
          .as(rubbish)
          .isInstanceOf(ForumIdentity.Unknown.class);
    }
    for (String error : List.of(
        "\"extensions\":{\"code\":\"FORBIDDEN\"}",
        "\"extensions\":{\"code\":\"PERMISSION_DENIED\"}",
        "\"message\":\"You do not have Permission\"",
        "\"message\":\"not authorized\"",
        "\"message\":\"Forbidden\"")) {
      String body =
          "{\"data\":{\"currentUser\":{\"_id\":\"u\",\"abTestOverrides\":null}},\"errors\":[{"
              + error + ",\"path\":[\"currentUser\",\"abTestOverrides\"]}]}";
      assertThat(GraphQlForum.currentUser(body)).as(error).isInstanceOf(ForumIdentity.Denied.class);
    }
  }

  @Test
  @Tag("PR-PERSIST-15")
  void theForumIsAskedInItsOwnWords() {
    List<Http.Request> requests = new ArrayList<>();
    GraphQlForum forum = new GraphQlForum(
        (request, callback) -> {
          requests.add(request);
          callback.accept(new Http.Answer(
              200,
              "{\"data\":{\"updateUser\":{\"data\":{\"_id\":\"u\",\"abTestOverrides\":{\"a\":1}}},\"currentUser\":null}}",
              null));
        },
        "https://forum.invalid/graphql");
    List<ForumIdentity.Answer> answers = new ArrayList<>();
    forum.currentUser(answers::add);
    forum.updateOverrides("u", "{\"a\":1}", answers::add);
    assertThat(answers)
        .containsExactly(new ForumIdentity.Anonymous(), new ForumIdentity.User("u", "{\"a\":1}"));
    assertThat(requests.get(0).body()).contains("currentUser").contains("abTestOverrides");
    assertThat(requests.get(1).body())
        .contains("updateUser(selector: { _id: $id }, data: $data)")
        .contains("\"variables\":{\"id\":\"u\",\"data\":{\"abTestOverrides\":{\"a\":1}}}");
  }

  @Test
  @Tag("PR-PERSIST-24")
  @Tag("T56")
  void aForumThatHidesTheFieldEndsSyncUntilTheNextLoad() {
    world.forum.scripted.add(new ForumIdentity.Denied());
    World.Tab tab = start();
    tab.read("abc");
    world.passMinutes(60);
    tab.sync.setEnabled(false);
    tab.sync.setEnabled(true);
    world.passMinutes(60);
    assertThat(tab.label()).isEqualTo("Sync: unavailable (identity permission)");
    assertThat(world.firestore.requests).isEmpty();
    assertThat(world.forum.queries).isEqualTo(1);
    assertThat(device.dirty(SyncedField.READ)).isTrue();
  }
}
