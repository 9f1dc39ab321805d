package dev.syncguard.sync.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.sync.Fixtures;
import dev.syncguard.sync.ReaderState;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.state.Limits;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.text.Iso;
import dev.syncguard.sync.text.Json;
import dev.syncguard.sync.text.Utf8;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@NullUnmarked
class EnvelopeCodecTest {

  private static EnvelopeDecoder.Decoded decode(String fields) {
    return EnvelopeDecoder.decode(Json.parseObject(fields), Site.LESSWRONG);
  }

  private static String encoded() {
    return EnvelopeEncoder.encode(Fixtures.envelope(Fixtures.full()));
  }

  @Test
  @Tag("PR-PERSIST-70")
  @Tag("T116")
  @Tag("T83")
  void anEnvelopeHasThisFormOnTheWire() {
    SyncedFields fields = Fixtures.withPrefs(
        Fixtures.withLoadFrom(Fixtures.read(2, "abc"), 4, 5, Fixtures.DAY_2), 6, Map.of("Ann", -1));
    assertThat(EnvelopeEncoder.encode(Fixtures.envelope(fields)))
        .isEqualTo(
            "{'schemaVersion':{'integerValue':'1'},'site':{'stringValue':'lw'},'lastPushedBy':{'stringValue':'device'},"
                .concat(
                    "'lastPushedAt':{'timestampValue':'2026-01-01T00:00:00.000Z'},'expiresAt':{'timestampValue':'2026-01-03T00:00:00.000Z'},")
                .concat("'fields':{'mapValue':{'fields':{")
                .concat(
                    "'read':{'mapValue':{'fields':{'updatedAt':{'timestampValue':'2026-01-01T00:00:00.000Z'},'updatedBy':{'stringValue':'somebody'},")
                .concat(
                    "'clearEpoch':{'integerValue':'2'},'value':{'mapValue':{'fields':{'abc':{'integerValue':'1'}}}}}}},")
                .concat(
                    "'loadFrom':{'mapValue':{'fields':{'updatedAt':{'timestampValue':'2026-01-01T00:00:00.000Z'},'updatedBy':{'stringValue':'somebody'},")
                .concat(
                    "'clearEpoch':{'integerValue':'4'},'version':{'integerValue':'5'},'value':{'stringValue':'2026-01-02T00:00:00.000Z'}}}},")
                .concat(
                    "'authorPrefs':{'mapValue':{'fields':{'updatedAt':{'timestampValue':'2026-01-01T00:00:00.000Z'},'updatedBy':{'stringValue':'somebody'},")
                .concat(
                    "'clearEpoch':{'integerValue':'6'},'value':{'mapValue':{'fields':{'Ann':{'mapValue':{'fields':{'v':{'integerValue':'-1'},")
                .concat(
                    "'version':{'integerValue':'3'},'updatedAt':{'timestampValue':'2026-01-01T00:00:00.000Z'},'updatedBy':{'stringValue':'somebody'}}}}}}}}}}}}}}")
                .replace('\'', '"'));
  }

  @Test
  @Tag("PR-PERSIST-70")
  @Tag("PR-PERSIST-27")
  void whatIsEncodedComesBackTheSame() {
    java.util.Random random = new java.util.Random(11);
    for (int i = 0; i < 300; i++) {
      Map<String, Integer> prefs = new HashMap<>();
      Fixtures.ids("Zoë \"" + i + " ", random.nextInt(5))
          .forEach(name -> prefs.put(name, random.nextInt(3) - 1));
      SyncedFields fields = Fixtures.withPrefs(
          Fixtures.withLoadFrom(
              Fixtures.withRead(
                  Fixtures.none(),
                  random.nextInt(1_000_000_001),
                  Fixtures.ids("id-", random.nextInt(20))),
              random.nextInt(9),
              random.nextInt(9),
              random.nextBoolean() ? "" : ReaderState.LOAD_RECENT),
          random.nextInt(9),
          prefs);
      Long pushedAtMs = random.nextBoolean() ? null : (Long) (random.nextLong() >>> 20);
      Envelope envelope =
          new Envelope(Site.LESSWRONG, "d", Fixtures.DAY_1, pushedAtMs, Fixtures.DAY_2, fields);
      assertThat(decode(EnvelopeEncoder.encode(envelope)))
          .isEqualTo(new EnvelopeDecoder.Good(envelope, 0));
    }
  }

  @Test
  @Tag("PR-PERSIST-70")
  void anEmptyMapMayComeWithoutItsFields() {
    String bare = EnvelopeEncoder.encode(Fixtures.envelope(Fixtures.none()))
        .replace("{\"mapValue\":{\"fields\":{}}}", "{\"mapValue\":{}}");
    assertThat(decode(bare))
        .isEqualTo(new EnvelopeDecoder.Good(Fixtures.envelope(Fixtures.none()), 0));
  }

  @Test
  @Tag("PR-PERSIST-32")
  @Tag("PR-PERSIST-06")
  @Tag("T66")
  void noDateToLoadFromIsNoValueOnTheWire() {
    String none = EnvelopeEncoder.encode(Fixtures.envelope(Fixtures.none()));
    assertThat(none).doesNotContain("nullValue").doesNotContain("\"stringValue\":\"\"");
    assertThat(
            ((EnvelopeDecoder.Good) decode(none)).envelope().fields().loadFrom().value())
        .isEmpty();
  }

  @Test
  @Tag("PR-PERSIST-40")
  @Tag("T77")
  @Tag("T14")
  void aNullOrMalformedDateCountsAsNone() {
    String value = "\"value\":{\"stringValue\":\"" + Fixtures.DAY_2 + "\"}";
    String tooLong = "2026-01-02T00:00:00." + "0".repeat(20) + "Z";
    for (String odd : List.of(
        "{\"nullValue\":null}",
        "{\"stringValue\":\"\"}",
        "{\"stringValue\":\"soon\"}",
        "{\"stringValue\":\"2026-13-45T00:00:00Z\"}",
        "{\"stringValue\":\"" + tooLong + "\"}")) {
      EnvelopeDecoder.Decoded decoded = decode(encoded().replace(value, "\"value\":" + odd));
      assertThat(decoded).as(odd).isInstanceOf(EnvelopeDecoder.Good.class);
      assertThat(((EnvelopeDecoder.Good) decoded).envelope().fields().loadFrom().value())
          .isEmpty();
    }
  }

  @Test
  @Tag("PR-PERSIST-12")
  @Tag("T35")
  void theVersionIsLookedAtBeforeEverythingElse() {
    assertThat(decode("{\"schemaVersion\":{\"integerValue\":\"2\"},\"whatever\":{}}"))
        .isInstanceOf(EnvelopeDecoder.Newer.class);
    for (String odd : List.of(
        "{\"integerValue\":\"0\"}",
        "{\"integerValue\":\"-1\"}",
        "{\"integerValue\":1}",
        "{\"doubleValue\":1.0}",
        "{\"doubleValue\":2}",
        "{\"stringValue\":\"1\"}")) {
      String fields = encoded()
          .replace("\"schemaVersion\":{\"integerValue\":\"1\"}", "\"schemaVersion\":" + odd);
      assertThat(decode(fields)).as(odd).isInstanceOf(EnvelopeDecoder.Bad.class);
    }
    assertThat(decode(encoded().replace("\"schemaVersion\":{\"integerValue\":\"1\"},", "")))
        .isInstanceOf(EnvelopeDecoder.Bad.class);
  }

  @Test
  @Tag("PR-PERSIST-13")
  @Tag("PR-PERSIST-37")
  @Tag("PR-PERSIST-41")
  @Tag("PR-PERSIST-12")
  @Tag("T36")
  @Tag("T78")
  void oneWrongMemberAnywhereInTheStructureSpoilsTheWhole() {
    Map<String, Object> tree = Json.parseObject(encoded());
    List<String> seen = new ArrayList<>();
    spoil(tree, tree, "", seen);
    assertThat(seen).hasSizeGreaterThan(60);
  }

  /** Breaks each member of the fixed structure in several ways, one at a time. */
  private static void spoil(
      Map<String, Object> root, Map<String, Object> map, String path, List<String> seen) {
    for (String name : List.copyOf(map.keySet())) {
      String here = path + "/" + name;
      if (here.endsWith("/value") && !here.contains("loadFrom")) {
        expectBad(root, map, name, Map.of("stringValue", "x"), here, seen);
        expectBad(root, map, name, null, here, seen);
        continue;
      }
      boolean optional = here.endsWith("loadFrom/value");
      if (!optional) {
        expectBad(root, map, name, null, here, seen);
      }
      expectBad(root, map, name, Map.of("booleanValue", true), here, seen);
      expectBad(root, map, name, Map.of("doubleValue", new Json.Num("1.0")), here, seen);
      expectBad(root, map, name, Map.of(), here, seen);
      Map<String, Object> inner = TypedValue.map(map.get(name));
      if (inner != null) {
        expectBadExtra(root, inner, here, seen);
        spoil(root, inner, here, seen);
      }
    }
    if (map == root) {
      expectBadExtra(root, root, "", seen);
    }
  }

  private static void expectBad(
      Map<String, Object> root,
      Map<String, Object> map,
      String name,
      @Nullable Object odd,
      String path,
      List<String> seen) {
    Object before = map.get(name);
    if (odd == null) {
      map.remove(name);
    } else {
      map.put(name, odd);
    }
    assertThat(decode(Json.write(root)))
        .as(path + " = " + odd)
        .isInstanceOf(EnvelopeDecoder.Bad.class);
    seen.add(path);
    map.put(name, before);
  }

  private static void expectBadExtra(
      Map<String, Object> root, Map<String, Object> map, String path, List<String> seen) {
    map.put("extra", Map.of("integerValue", "1"));
    assertThat(decode(Json.write(root)))
        .as(path + " with an extra member")
        .isInstanceOf(EnvelopeDecoder.Bad.class);
    seen.add(path + "+");
    map.remove("extra");
  }

  @Test
  @Tag("PR-PERSIST-79")
  @Tag("PR-PERSIST-13")
  void countersAreBounded() {
    for (String counter : List.of(
        "\"clearEpoch\":{\"integerValue\":\"2\"}",
        "\"clearEpoch\":{\"integerValue\":\"4\"}",
        "\"clearEpoch\":{\"integerValue\":\"6\"}",
        "\"version\":{\"integerValue\":\"5\"}")) {
      String name = counter.substring(0, counter.indexOf(':'));
      assertThat(encoded()).contains(counter);
      assertThat(decode(encoded().replace(counter, name + ":{\"integerValue\":\"1000000000\"}")))
          .isInstanceOf(EnvelopeDecoder.Good.class);
      for (String odd : List.of(
          "{\"integerValue\":\"1000000001\"}",
          "{\"integerValue\":\"-1\"}",
          "{\"doubleValue\":1.0}")) {
        assertThat(decode(encoded().replace(counter, name + ":" + odd)))
            .as(counter + odd)
            .isInstanceOf(EnvelopeDecoder.Bad.class);
      }
    }
  }

  @Test
  @Tag("PR-PERSIST-38")
  @Tag("PR-PERSIST-29")
  @Tag("T72")
  void theTimeOfThePushAsANumberIsOptionalButNotArbitrary() {
    assertThat(encoded()).doesNotContain("lastPushedAtMs");
    assertThat(decode(encoded())).isInstanceOf(EnvelopeDecoder.Good.class);
    for (String fine : List.of("0", "253402300799999")) {
      assertThat(decode(encoded()
              .replace(
                  "\"expiresAt\"",
                  "\"lastPushedAtMs\":{\"integerValue\":\"" + fine + "\"},\"expiresAt\"")))
          .isInstanceOf(EnvelopeDecoder.Good.class);
    }
    for (String odd : List.of(
        "{\"integerValue\":\"-1\"}",
        "{\"integerValue\":\"253402300800000\"}",
        "{\"doubleValue\":5}",
        "{\"stringValue\":\"5\"}")) {
      assertThat(decode(
              encoded().replace("\"expiresAt\"", "\"lastPushedAtMs\":" + odd + ",\"expiresAt\"")))
          .as(odd)
          .isInstanceOf(EnvelopeDecoder.Bad.class);
    }
  }

  @Test
  @Tag("PR-PERSIST-03")
  @Tag("PR-PERSIST-13")
  void theEnvelopeOfAnotherSiteIsRefused() {
    assertThat(EnvelopeDecoder.decode(Json.parseObject(encoded()), Site.EA_FORUM))
        .isInstanceOf(EnvelopeDecoder.Bad.class);
  }

  @Test
  @Tag("PR-PERSIST-13")
  void labelsAreNeitherEmptyNorLong() {
    for (String label : List.of("", "x".repeat(129))) {
      assertThat(decode(
              encoded().replace("\"stringValue\":\"device\"", "\"stringValue\":\"" + label + "\"")))
          .isInstanceOf(EnvelopeDecoder.Bad.class);
    }
    assertThat(decode(encoded()
            .replace("\"stringValue\":\"device\"", "\"stringValue\":\"" + "x".repeat(128) + "\"")))
        .isInstanceOf(EnvelopeDecoder.Good.class);
  }

  @Test
  @Tag("PR-PERSIST-29")
  @Tag("T17")
  void aTimeThatIsNoneCountsAsMissingAndTheRestOfThePreferenceStays() {
    String author = "\"Ann\":{\"mapValue\":{\"fields\":{\"v\":{\"integerValue\":\"-1\"},"
        + "\"version\":{\"integerValue\":\"3\"},\"updatedAt\":{\"timestampValue\":\"yesterday\"},"
        + "\"updatedBy\":{\"stringValue\":\"w\"}}}}";
    String encoded = EnvelopeEncoder.encode(Fixtures.envelope(Fixtures.none()));
    int last = encoded.lastIndexOf("\"fields\":{}");
    EnvelopeDecoder.Good good = (EnvelopeDecoder.Good) decode(encoded.substring(0, last)
        + "\"fields\":{" + author + "}" + encoded.substring(last + "\"fields\":{}".length()));
    SyncedFields.AuthorPref ann = good.envelope().fields().authorPrefs().value().get("Ann");
    assertThat(ann.v()).isEqualTo(-1);
    assertThat(ann.version()).isEqualTo(3);
    assertThat(Iso.millis(ann.updatedAt()))
        .as("older than anything that has a time")
        .isZero();
    assertThat(good.dropped()).isZero();
  }

  @Test
  @Tag("PR-PERSIST-27")
  @Tag("PR-PERSIST-82")
  @Tag("T65")
  @Tag("T74")
  void wrongEntriesAreLeftOutOneByOne() {
    String marks =
        "\"good\":{\"integerValue\":\"1\"},\"two\":{\"integerValue\":\"2\"},\"real\":{\"doubleValue\":1},"
            + "\"text\":{\"stringValue\":\"1\"},\"a b\":{\"integerValue\":\"1\"},\""
            + "k".repeat(65) + "\":{\"integerValue\":\"1\"}";
    String author =
        "{\"mapValue\":{\"fields\":{\"v\":{\"integerValue\":\"1\"},\"version\":{\"integerValue\":\"3\"},"
            + "\"updatedAt\":{\"timestampValue\":\"" + Fixtures.DAY_1
            + "\"},\"updatedBy\":{\"stringValue\":\"w\"}}}}";
    String authors = "\"Ann\":" + author
        + ",\"old\":" + author.replace("timestampValue", "stringValue")
        + ",\"big\":"
        + author.replace("\"v\":{\"integerValue\":\"1\"}", "\"v\":{\"integerValue\":\"2\"}")
        + ",\"when\":" + author.replace(Fixtures.DAY_1, "yesterday")
        + ",\"nameless\":" + author.replace("\"stringValue\":\"w\"", "\"stringValue\":\"\"")
        + ",\"more\":" + author.replace("\"v\":", "\"w\":{\"integerValue\":\"1\"},\"v\":")
        + ",\"__x__\":" + author
        + ",\"flat\":{\"integerValue\":\"1\"}";
    String fields = EnvelopeEncoder.encode(Fixtures.envelope(Fixtures.none()))
        .replaceFirst("\"fields\":\\{\\}", "\"fields\":{" + marks + "}")
        .replaceFirst("\"fields\":\\{\\}", "\"fields\":{" + authors + "}");
    EnvelopeDecoder.Good good = (EnvelopeDecoder.Good) decode(fields);
    assertThat(good.envelope().fields().read().value()).containsExactly("good");
    assertThat(good.envelope().fields().authorPrefs().value())
        .containsOnlyKeys("Ann", "old", "when");
    assertThat(good.dropped()).isEqualTo(10);
  }

  @Test
  @Tag("PR-PERSIST-70")
  @Tag("PR-PERSIST-27")
  @Tag("PR-PERSIST-79")
  @Tag("PR-PERSIST-40")
  void whatTheServerWouldRefuseIsNotEvenWritten() {
    Set<Envelope> wrong = new HashSet<>();
    wrong.add(Fixtures.envelope(Fixtures.read(-1)));
    wrong.add(Fixtures.envelope(Fixtures.read(1_000_000_001)));
    wrong.add(Fixtures.envelope(Fixtures.read(0, "a b")));
    wrong.add(Fixtures.envelope(Fixtures.withLoadFrom(Fixtures.none(), 0, 0, "soon")));
    wrong.add(Fixtures.envelope(Fixtures.withPrefs(Fixtures.none(), 0, Map.of("Ann", 2))));
    wrong.add(Fixtures.envelope(Fixtures.withPrefs(Fixtures.none(), 0, Map.of("", 1))));
    wrong.add(
        new Envelope(Site.LESSWRONG, "", Fixtures.DAY_1, null, Fixtures.DAY_2, Fixtures.none()));
    wrong.add(new Envelope(Site.LESSWRONG, "d", "now", null, Fixtures.DAY_2, Fixtures.none()));
    wrong.add(
        new Envelope(Site.LESSWRONG, "d", Fixtures.DAY_1, -1L, Fixtures.DAY_2, Fixtures.none()));
    assertThat(wrong)
        .hasSize(9)
        .allSatisfy(envelope -> assertThatThrownBy(() -> EnvelopeEncoder.encode(envelope))
            .isInstanceOf(IllegalArgumentException.class));
  }

  @Test
  @Tag("PR-PERSIST-82")
  @Tag("T131")
  void keysThatMayTravelAreTheseOnly() {
    for (String fine : List.of("a", "A-z_09", "x".repeat(64))) {
      assertThat(Limits.isReadKey(fine)).as(fine).isTrue();
    }
    for (String odd : List.of("", "x".repeat(65), "a.b", "ü", "a b", "__a__")) {
      assertThat(Limits.isReadKey(odd)).as(odd).isFalse();
    }
    for (String fine : List.of("Ann", "Zoë Müller", "名前", "😀", "_", "__x")) {
      assertThat(Limits.isAuthorKey(fine)).as(fine).isTrue();
    }
    for (String odd : List.of(
        "", "x".repeat(65), "名".repeat(65), "😀".repeat(60), "a\nb", "\u0085", "__x__", "\ud800")) {
      assertThat(Limits.isAuthorKey(odd)).as(odd).isFalse();
    }
  }

  @Test
  void theSizeIsThatOfFirestore() {
    String path = "pr_sync_v1/lw/nodes/n";
    int empty = EnvelopeSize.of(Fixtures.envelope(Fixtures.none()), path);
    assertThat(EnvelopeSize.of(Fixtures.envelope(Fixtures.read(0, "abc", "ab")), path) - empty)
        .isEqualTo(4 + 8 + 3 + 8);
    SyncedFields ann = Fixtures.withPrefs(Fixtures.none(), 0, Map.of("Zoë", 1));
    assertThat(EnvelopeSize.of(Fixtures.envelope(ann), path) - empty)
        .isEqualTo(5 + 2 + 8 + 8 + 8 + 10 + 8 + 10 + 9);
    assertThat(Utf8.length("aü名😀")).isEqualTo(1 + 2 + 3 + 4);
  }
}
