package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockQuery;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every valid key works on every backend, however strange, and no two of them are mixed up. */
public abstract class AwkwardKeysContract extends Contract {

  @Test
  @Tag("check-42")
  void aKeyOf512BytesWorks() {
    assertWorks("k".repeat(512));
    assertWorks("é".repeat(256));
    assertWorks("😀".repeat(128));
  }

  @ParameterizedTest
  @Tag("check-52")
  @ValueSource(strings = {"a:b:c", "a/b/c", "a-b-c", "a_b_c", "a.b.c"})
  void keysWithPunctuationWork(String key) {
    assertWorks(key);
  }

  @ParameterizedTest
  @Tag("check-53")
  @ValueSource(strings = {"отчёт", "报告", "レポート", "تقرير", "😀🔒", "e\u0301cole", "👩‍👩‍👧"})
  void keysInAnyScriptWork(String key) {
    assertWorks(key);
  }

  @Test
  void keysThatLookLikeSyntaxOfAStoreWork() {
    awkward().forEach(this::assertWorks);
  }

  @Test
  void noTwoAwkwardKeysAreMixedUp() {
    List<Grant> grants = awkward().map(this::take).toList();
    assertThat(grants).extracting(Grant::fence).containsOnly(Fence.FIRST);
    grants.forEach(this::assertHeld);
    grants.forEach(grant -> assertThat(release(grant)).isTrue());
  }

  /** Returns keys that are paths, patterns, quotes, commands, or names that a store may use for itself. */
  private static Stream<String> awkward() {
    return Stream.of(
        "/",
        "//",
        "/a",
        "a/",
        "a//b",
        ".",
        "..",
        "...",
        "__x__",
        "__",
        "*",
        "?",
        "%",
        "_",
        "a%b",
        "{tag}",
        "{tag}a",
        "'",
        "''",
        "\"",
        "`",
        "\\",
        "\\0",
        "]]",
        "--",
        "; DROP TABLE locks",
        "$(x)",
        "${x}",
        "#{x}",
        " ",
        "  ",
        "a ",
        " a",
        "A",
        "a",
        "\t",
        "\r\n",
        "\u0001",
        "\u007f",
        "\u202e",
        "\u200b",
        "\ufeff",
        "\ufffd",
        "fence:x",
        "fence:syncguard:a",
        "fence:fence:a",
        "fence:a",
        "id:AAAAAAAAAAAAAAAAAAAAAA",
        "id:x",
        "syncguard:a",
        "syncguard",
        ":",
        "::",
        "a:",
        ":a",
        "null",
        "undefined",
        "0",
        "-1",
        "1e3",
        "true",
        "NaN");
  }

  @Test
  void aKeyNamedLikeTheFenceOfAnotherDoesNotTouchIt() {
    for (String clash : List.of("fence:report", "fence:syncguard:report", "fence:fence:report")) {
      release(take("report"));
      Grant disguised = take(clash);
      Grant real = take("report");
      assertHeld(disguised);
      assertHeld(real);
      release(disguised);
      release(real);
    }
    assertThat(take("report").fence()).isEqualTo(new Fence(7));
  }

  @Test
  void aKeyNamedLikeTheIdOfALeaseDoesNotTouchIt() {
    Grant lease = take("report");
    Grant disguised = take("id:" + lease.id().value());
    assertHeld(lease);
    assertThat(release(disguised)).isTrue();
    assertHeld(lease);
    assertThat(release(lease)).isTrue();
  }

  @Test
  void twoSpellingsOfOneTextAreOneKey() {
    Grant composed = take("caf\u00e9");
    Grant sameLock =
        new Grant(LockKey.of("cafe\u0301"), composed.id(), composed.fence(), composed.expiresAt());
    assertHeld(sameLock);
    release(composed);
    assertThat(take("cafe\u0301").fence()).isEqualTo(composed.fence().next());
  }

  @Test
  void keysThatDifferOnlyInCaseOrLengthAreDifferent() {
    Stream.of("report", "Report", "REPORT", "report ", "repor", "reports", "r\u00e9port")
        .map(this::take)
        .toList()
        .forEach(this::assertHeld);
  }

  private void assertWorks(String text) {
    Grant grant = take(text);
    assertHeld(grant);
    assertThat(backend
            .lookupRaw(new LockQuery.ById(grant.id()), NEVER)
            .orElseThrow()
            .key())
        .isEqualTo(grant.key());
    assertThat(extend(grant, LONG)).isTrue();
    assertThat(release(grant)).isTrue();
    assertThat(isLocked(text)).isFalse();
    Grant next = take(text);
    assertThat(next.fence()).as("fence of '%s'", text).isEqualTo(grant.fence().next());
    assertThat(release(next)).isTrue();
  }
}
