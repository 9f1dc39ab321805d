package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.index.IndexFile;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.sync.remote.CommitBody;
import dev.syncguard.sync.remote.Envelope;
import dev.syncguard.sync.remote.EnvelopeEncoder;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.text.Iso;
import dev.syncguard.sync.text.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The engine, the shipped rules and the shipped indexes against a server that speaks real HTTP. */
@Tag("slow")
class RealServerTest {

  private static final String NODE = "pr_sync_" + "a".repeat(64);
  private static final String OTHER_NODE = "pr_sync_" + "b".repeat(64);

  private final World world = new World();
  private RealServer server;

  @BeforeEach
  void start() throws IOException {
    server = new RealServer(world);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String documents() {
    return server.endpoint() + "/projects/demo/databases/(default)/documents";
  }

  private String node(String site, String name) {
    return documents() + "/pr_sync_v1/" + site + "/nodes/" + name;
  }

  /** Returns the envelope that the rules must accept, in Firestore's JSON. */
  private String fields(SyncedFields synced) {
    Envelope envelope = new Envelope(
        Site.LESSWRONG,
        "device",
        Iso.text(world.trueMillis()),
        null,
        Iso.text(world.trueMillis() + 170L * 86_400_000),
        synced);
    return EnvelopeEncoder.encode(envelope);
  }

  private HttpResponse<String> commit(String site, String node, String fields, String condition) {
    String name =
        "projects/demo/databases/(default)/documents/pr_sync_v1/" + site + "/nodes/" + node;
    String body = "{\"writes\":[{\"update\":{\"name\":\"" + name + "\",\"fields\":" + fields
        + "},\"currentDocument\":" + condition + "}]}";
    return server.ask("POST", documents() + ":commit", body);
  }

  private HttpResponse<String> create(String fields) {
    return commit("lw", NODE, fields, "{\"exists\":false}");
  }

  private static void assertRefused(HttpResponse<String> answer, String why) {
    assertThat(answer.statusCode()).as(why).isEqualTo(403);
    assertThat(answer.body()).as(why).contains("PERMISSION_DENIED");
  }

  @Test
  @Tag("PR-PERSIST-58")
  @Tag("T95")
  void aValidEnvelopeIsWrittenAndReadBack() {
    HttpResponse<String> written = create(fields(Fixtures.full()));
    assertThat(written.statusCode()).as(written.body()).isEqualTo(200);
    HttpResponse<String> read = server.ask("GET", node("lw", NODE), null);
    assertThat(read.statusCode()).isEqualTo(200);
    assertThat(read.body()).contains("\"schemaVersion\"").contains("Zo");
  }

  @Test
  @Tag("PR-PERSIST-58")
  @Tag("T96")
  @Tag("PR-PERSIST-36")
  @Tag("PR-PERSIST-47")
  @Tag("T73")
  @Tag("T81")
  void nobodyCanListNodes() {
    assertRefused(server.ask("GET", documents() + "/pr_sync_v1/lw/nodes", null), "a list");
    assertRefused(
        server.ask(
            "POST",
            documents() + "/pr_sync_v1/lw:runQuery",
            "{\"structuredQuery\":{\"from\":[{\"collectionId\":\"nodes\"}]}}"),
        "a query");
    assertRefused(
        server.ask(
            "POST",
            documents() + ":runQuery",
            "{\"structuredQuery\":{\"from\":[{\"collectionId\":\"nodes\",\"allDescendants\":true}]}}"),
        "a query over all sites");
  }

  @Test
  @Tag("PR-PERSIST-57")
  @Tag("T95")
  void onBothSitesAStateIsMadeReadChangedMergedAndReset() {
    for (Site site : Site.values()) {
      SyncConfig config = server.config(site).build();
      World.Tab one = server.tab(world.device(), config);
      one.read("first");
      world.passMinutes(2);
      World.Tab two = server.tab(world.device(), config);
      assertThat(two.sync.reader().read()).containsExactly("first");
      two.sync.reader().setAuthorPreference("Ann", 1);
      one.sync.reader().setLoadFrom("2026-02-01T00:00:00.000Z");
      world.passMinutes(3);
      one.sync.pull(() -> {});
      two.sync.pull(() -> {});
      world.passMinutes(1);
      for (World.Tab tab : List.of(one, two)) {
        assertThat(tab.sync.reader().authorPreferences()).containsEntry("Ann", 1);
        assertThat(tab.sync.reader().loadFrom()).isEqualTo("2026-02-01T00:00:00.000Z");
      }
      one.reset();
      world.passMinutes(1);
      assertThat(one.resets).containsExactly(ResetOutcome.EVERYWHERE);
      World.Tab three = server.tab(world.device(), config);
      assertThat(three.sync.reader().read()).isEmpty();
      assertThat(three.sync.reader().authorPreferences()).doesNotContainEntry("Ann", 1);
    }
  }

  @Test
  @Tag("PR-PERSIST-58")
  @Tag("T97")
  @Tag("PR-PERSIST-36")
  @Tag("T73")
  @Tag("T81")
  void onlyTheRightPlacesExist() {
    String good = fields(Fixtures.none());
    String elsewhere = good.replace("\"lw\"", "\"other\"");
    assertThat(elsewhere).isNotEqualTo(good);
    assertRefused(commit("other", NODE, elsewhere, "{\"exists\":false}"), "another site");
    assertRefused(server.ask("GET", node("other", NODE), null), "another site");
    assertRefused(commit("other", NODE, good, "{\"exists\":false}"), "an envelope of another");
    for (String name : List.of(
        "short",
        NODE.toUpperCase(Locale.ROOT),
        NODE + "a",
        "pr_sync_" + "g".repeat(64),
        "a".repeat(64))) {
      assertRefused(commit("lw", name, good, "{\"exists\":false}"), "another name");
      assertRefused(server.ask("GET", node("lw", name), null), "another name");
    }
  }

  @Test
  @Tag("PR-PERSIST-58")
  @Tag("T98")
  @Tag("T99")
  @Tag("PR-PERSIST-46")
  @Tag("T82")
  void theCapsOfTheMapsHold() {
    Map<String, Integer> authors = new LinkedHashMap<>();
    Fixtures.ids("author", 1_000).forEach(author -> authors.put(author, 1));
    SyncedFields full = Fixtures.withPrefs(
        Fixtures.withRead(Fixtures.none(), 0, Fixtures.ids("r", 10_000)), 0, authors);
    assertThat(create(fields(full)).statusCode()).isEqualTo(200);

    SyncedFields tooManyMarks = Fixtures.withRead(Fixtures.none(), 0, Fixtures.ids("r", 10_001));
    assertRefused(commit("lw", OTHER_NODE, fields(tooManyMarks), "{\"exists\":false}"), "marks");
    authors.put("one too many", 1);
    SyncedFields tooManyAuthors = Fixtures.withPrefs(Fixtures.none(), 0, authors);
    assertRefused(
        commit("lw", OTHER_NODE, fields(tooManyAuthors), "{\"exists\":false}"), "authors");
  }

  @Test
  @Tag("PR-PERSIST-58")
  @Tag("T100")
  @Tag("T104")
  @Tag("T125")
  @Tag("T128")
  @Tag("PR-PERSIST-69")
  void whatIsMissingOrOutOfBoundsIsRefused() {
    String good = fields(Fixtures.none());
    String expiry =
        "{\"timestampValue\":\"" + Iso.text(world.trueMillis() + 170L * 86_400_000) + "\"}";
    Map<String, String> broken = new LinkedHashMap<>();
    broken.put("no clearEpoch", good.replaceFirst(",\"clearEpoch\":\\{[^}]*}", ""));
    broken.put("no version", good.replaceFirst(",\"version\":\\{[^}]*}", ""));
    broken.put("no updatedBy", good.replaceFirst(",\"updatedBy\":\\{[^}]*}", ""));
    broken.put("no expiresAt", good.replace(",\"expiresAt\":" + expiry, ""));
    broken.put("past", good.replace(expiry, moment(-1)));
    broken.put("now", good.replace(expiry, moment(0)));
    broken.put("at the horizon", good.replace(expiry, moment(181L * 86_400_000)));
    broken.put("beyond the horizon", good.replace(expiry, moment(182L * 86_400_000)));
    broken.put("a text", good.replace(expiry, "{\"stringValue\":\"2026-08-01T00:00:00Z\"}"));
    broken.put(
        "epoch too high",
        good.replaceFirst(
            "\"clearEpoch\":\\{\"integerValue\":\"0\"}",
            "\"clearEpoch\":{\"integerValue\":\"1000000001\"}"));
    broken.put(
        "version too high",
        good.replaceFirst(
            "\"version\":\\{\"integerValue\":\"0\"}",
            "\"version\":{\"integerValue\":\"1000000001\"}"));
    broken.put(
        "another schema",
        good.replaceFirst(
            "\"schemaVersion\":\\{\"integerValue\":\"1\"}",
            "\"schemaVersion\":{\"integerValue\":\"2\"}"));
    broken.forEach((why, fields) -> {
      assertThat(fields).as(why).isNotEqualTo(good);
      assertRefused(create(fields), why);
    });
    assertThat(create(good).statusCode()).as("the same, unbroken").isEqualTo(200);
    assertThat(commit("lw", OTHER_NODE, good.replace(expiry, moment(1_000)), "{\"exists\":false}")
            .statusCode())
        .as("just ahead")
        .isEqualTo(200);
    String almost = good.replace(expiry, moment(181L * 86_400_000 - 3_600_000));
    assertThat(commit("eaf", NODE, almost.replace("\"lw\"", "\"eaf\""), "{\"exists\":false}")
            .statusCode())
        .as("just before the horizon")
        .isEqualTo(200);
  }

  private String moment(long fromNow) {
    return "{\"timestampValue\":\"" + Iso.text(world.trueMillis() + fromNow) + "\"}";
  }

  @Test
  @Tag("PR-PERSIST-71")
  @Tag("T102")
  @Tag("PR-PERSIST-59")
  void aTokenIsGoodForOneWrite() {
    String first = token(create(fields(Fixtures.none())));
    world.passSeconds(1);
    String second = token(
        commit("lw", NODE, fields(Fixtures.read(0, "a")), "{\"updateTime\":\"" + first + "\"}"));
    assertThat(second).isNotEqualTo(first);
    HttpResponse<String> stale =
        commit("lw", NODE, fields(Fixtures.read(0, "b")), "{\"updateTime\":\"" + first + "\"}");
    assertThat(stale.statusCode()).isEqualTo(400);
    assertThat(stale.body()).contains("FAILED_PRECONDITION");
  }

  private static String token(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body().replaceAll("(?s).*\"updateTime\":\\s*\"([^\"]+)\".*", "$1");
  }

  @Test
  @Tag("T101")
  @Tag("PR-PERSIST-09")
  @Tag("PR-PERSIST-45")
  void aCommitOnAnOldUpdateTimeIsRefusedAndTheRetryBringsBothTogether() {
    World.Device one = world.device();
    World.Device two = world.device();
    World.Tab first = server.tab(one);
    first.read("there");
    world.passMinutes(1);
    World.Tab second = server.tab(two);
    assertThat(second.sync.reader().read()).containsExactly("there");
    first.read("from-one");
    world.passMinutes(1);
    server.answers.clear();
    second.read("from-two");
    world.passMinutes(1);
    assertThat(server.answers).as("the token of the second was old").contains(400);
    assertThat(server.answers.get(server.answers.size() - 1)).isEqualTo(200);
    assertThat(second.sync.reader().read())
        .containsExactlyInAnyOrder("there", "from-one", "from-two");
    assertThat(two.dirty(SyncedField.READ)).isFalse();
    assertThat(server.tab(world.device()).sync.reader().read())
        .containsExactlyInAnyOrder("there", "from-one", "from-two");
  }

  @Test
  @Tag("T107")
  @Tag("PR-PERSIST-59")
  void devicesThatStartTogetherConverge() {
    World.Device one = world.device();
    World.Device two = world.device();
    World.Tab first = server.tab(one);
    World.Tab second = server.tab(two);
    first.read("from-one");
    second.read("from-two");
    world.passMinutes(3);
    for (World.Tab tab : List.of(first, second)) {
      tab.sync.pull(() -> {});
    }
    world.passMinutes(3);
    assertThat(first.sync.reader().read()).containsExactlyInAnyOrder("from-one", "from-two");
    assertThat(second.sync.reader().read()).containsExactlyInAnyOrder("from-one", "from-two");
    assertThat(one.dirty(SyncedField.READ)).isFalse();
    assertThat(two.dirty(SyncedField.READ)).isFalse();
  }

  @Test
  @Tag("T103")
  @Tag("PR-PERSIST-59")
  void resetsOnlyEverRaiseTheEpoch() {
    World.Device one = world.device();
    World.Device two = world.device();
    World.Tab first = server.tab(one);
    World.Tab second = server.tab(two);
    first.read("old");
    world.passMinutes(2);
    second.sync.pull(() -> {});
    world.passSeconds(5);
    assertThat(second.sync.reader().read()).containsExactly("old");
    first.reset();
    second.reset();
    world.passMinutes(2);
    World.Tab third = server.tab(world.device());
    assertThat(third.sync.reader().read()).isEmpty();
    List<Integer> epochs = server.commits.stream()
        .map(body -> Integer.parseInt(
            body.replaceAll("(?s).*?\"clearEpoch\":\\{\"integerValue\":\"(\\d+)\".*", "$1")))
        .toList();
    assertThat(epochs).isSorted().contains(0).doesNotContainNull();
    assertThat(epochs.get(epochs.size() - 1)).isGreaterThanOrEqualTo(1);
  }

  @Test
  @Tag("T106")
  void everyCommitIsOneConditionalUpdate() {
    World.Tab tab = server.tab(world.device());
    tab.read("a");
    world.passMinutes(2);
    tab.sync.reader().setAuthorPreference("Ann", 1);
    world.passMinutes(2);
    assertThat(server.commits).hasSizeGreaterThanOrEqualTo(2);
    for (String body : server.commits) {
      CommitBody.guard(Objects.requireNonNull(Json.parseObject(body)));
    }
  }

  @Test
  void aLostReplyLosesNoMark() {
    World.Device device = world.device();
    World.Tab tab = server.tab(device);
    server.losesReplies = true;
    tab.read("precious");
    world.passMinutes(1);
    assertThat(device.dirty(SyncedField.READ))
        .as("dirty while nobody confirmed it")
        .isTrue();
    server.losesReplies = false;
    world.passMinutes(30);
    assertThat(device.dirty(SyncedField.READ)).isFalse();
    assertThat(server.tab(world.device()).sync.reader().read()).containsExactly("precious");
  }

  @Test
  @Tag("PR-PERSIST-60")
  @Tag("T105")
  void noTestCanReachAnotherMachine() {
    for (String host : List.of(
        "firestore.googleapis.com",
        "localhost.example.com",
        "127.0.0.1.example.com",
        "127.0.0.1@example.com",
        "localhostx",
        "0.0.0.0",
        "10.0.0.1")) {
      assertThatThrownBy(() -> server.ask("GET", "http://" + host + "/v1/projects/demo", null))
          .as(host)
          // A host that does not answer is refused for another reason, which proves nothing.
          .hasMessage("Tests may only talk to this machine");
    }
  }

  @Test
  @Tag("T114")
  @Tag("PR-PERSIST-67")
  void theLargeMapsAreNotIndexed() throws IOException {
    IndexConfiguration indexes = IndexFile.parse(RealServer.indexes());
    for (String field : List.of("fields.read.value.abc", "fields.authorPrefs.value.Ann.v")) {
      assertThat(indexes.isIndexed("nodes", FieldPath.parse(field))).as(field).isFalse();
    }
    assertThat(indexes.isIndexed("nodes", FieldPath.parse("site"))).isTrue();
  }
}
