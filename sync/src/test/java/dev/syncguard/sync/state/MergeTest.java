package dev.syncguard.sync.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.Fixtures;
import dev.syncguard.sync.ReaderState;
import dev.syncguard.sync.SyncedField;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MergeTest {

  private static final String NOW = "2026-06-01T00:00:00.000Z";
  private static final String RECENT = ReaderState.LOAD_RECENT;

  private static SyncedFields merge(LocalState local, @Nullable SyncedFields remote) {
    return Merge.merge(local, remote, EnumSet.allOf(SyncedField.class), "me:tab", NOW);
  }

  private static LocalState read(int epoch, String... ids) {
    return new LocalState(Set.of(ids), epoch, "", 0, 0, Map.of(), 0, Set.of());
  }

  private static LocalState loadFrom(int epoch, int version, String value) {
    return new LocalState(Set.of(), 0, value, version, epoch, Map.of(), 0, Set.of());
  }

  private static LocalState prefs(int epoch, Map<String, Integer> prefs, String... changed) {
    return new LocalState(Set.of(), 0, "", 0, 0, prefs, epoch, Set.of(changed));
  }

  @Test
  @Tag("PR-PERSIST-22")
  @Tag("T8")
  @Tag("T9")
  void aSideThatMissedAClearingHasNothingToSayAboutReadMarks() {
    assertThat(merge(read(1, "old"), Fixtures.read(2, "new")).read().value())
        .containsExactly("new");
    assertThat(merge(read(2, "new"), Fixtures.read(1, "old")).read().value())
        .containsExactly("new");
    assertThat(merge(read(2, "here"), Fixtures.read(2, "there")).read().value())
        .containsExactlyInAnyOrder("here", "there");
    assertThat(merge(read(3), Fixtures.read(1, "old")).read().clearEpoch()).isEqualTo(3);
  }

  @Test
  @Tag("PR-PERSIST-22")
  @Tag("T58")
  void aSideThatMissedAClearingHasNothingToSayAboutTheDate() {
    SyncedFields remote = Fixtures.withLoadFrom(Fixtures.none(), 2, 7, "");
    assertThat(merge(loadFrom(1, 9, Fixtures.DAY_3), remote).loadFrom().value()).isEmpty();
    assertThat(merge(loadFrom(1, 9, RECENT), remote).loadFrom().version()).isEqualTo(7);
    assertThat(merge(
                loadFrom(3, 9, Fixtures.DAY_1),
                Fixtures.withLoadFrom(Fixtures.none(), 2, 7, RECENT))
            .loadFrom()
            .value())
        .isEqualTo(Fixtures.DAY_1);
  }

  @Test
  @Tag("PR-PERSIST-22")
  @Tag("T59")
  void aSideThatMissedAClearingHasNothingToSayAboutAuthors() {
    SyncedFields remote = Fixtures.withPrefs(Fixtures.none(), 2, Map.of("Ann", 1));
    assertThat(merge(prefs(1, Map.of("Bob", 1), "Bob"), remote).authorPrefs().value())
        .containsOnlyKeys("Ann");
    assertThat(merge(prefs(3, Map.of("Bob", 1), "Bob"), remote).authorPrefs().value())
        .containsOnlyKeys("Bob");
  }

  @Test
  @Tag("PR-PERSIST-22")
  @Tag("T18")
  void clocksDecideNothingAndEpochsNeverFall() {
    java.util.Random random = new java.util.Random(3);
    for (int i = 0; i < 2000; i++) {
      LocalState local = new LocalState(
          Fixtures.ids("a", random.nextInt(4)),
          random.nextInt(3),
          pick(random, "", RECENT, Fixtures.DAY_1, Fixtures.DAY_2, "rubbish"),
          random.nextInt(3),
          random.nextInt(3),
          Map.of("Ann", random.nextInt(3) - 1),
          random.nextInt(3),
          random.nextBoolean() ? Set.of("Ann") : Set.of());
      SyncedFields remote = Fixtures.withPrefs(
          Fixtures.withLoadFrom(
              Fixtures.withRead(
                  Fixtures.none(), random.nextInt(3), Fixtures.ids("b", random.nextInt(4))),
              random.nextInt(3),
              random.nextInt(3),
              pick(random, "", RECENT, Fixtures.DAY_1, Fixtures.DAY_3)),
          random.nextInt(3),
          Map.of("Ann", random.nextInt(3) - 1, "Bob", 1));
      SyncedFields merged = merge(local, remote);
      SyncedFields shifted = merge(local, shift(remote));
      for (SyncedField field : SyncedField.values()) {
        assertThat(merged.clearEpoch(field))
            .isEqualTo(Math.max(local.clearEpoch(field), remote.clearEpoch(field)));
      }
      assertThat(shifted.read().value()).isEqualTo(merged.read().value());
      assertThat(shifted.loadFrom().value()).isEqualTo(merged.loadFrom().value());
      assertThat(shifted.loadFrom().version())
          .isEqualTo(merged.loadFrom().version())
          .isGreaterThanOrEqualTo(remote.loadFrom().version());
      merged
          .authorPrefs()
          .value()
          .forEach((author, pref) -> assertThat(shifted.authorPrefs().value().get(author))
              .extracting("v", "version")
              .containsExactly(pref.v(), pref.version()));
      assertThat(merge(local, merged).sameContent(merged))
          .as("merging again changes nothing")
          .isTrue();
    }
  }

  private static String pick(java.util.Random random, String... values) {
    return values[random.nextInt(values.length)];
  }

  private static SyncedFields shift(SyncedFields fields) {
    String later = "2036-01-01T00:00:00.000Z";
    Map<String, SyncedFields.AuthorPref> prefs = new LinkedHashMap<>();
    fields
        .authorPrefs()
        .value()
        .forEach((author, pref) -> prefs.put(
            author,
            new SyncedFields.AuthorPref(pref.v(), pref.version(), later, pref.updatedBy())));
    return new SyncedFields(
        new SyncedFields.Read(
            later, "x", fields.read().clearEpoch(), fields.read().value()),
        new SyncedFields.LoadFrom(
            later,
            "x",
            fields.loadFrom().version(),
            fields.loadFrom().clearEpoch(),
            fields.loadFrom().value()),
        new SyncedFields.AuthorPrefs(later, "x", fields.authorPrefs().clearEpoch(), prefs));
  }

  @Test
  @Tag("PR-PERSIST-23")
  @Tag("T11")
  @Tag("T13")
  @Tag("T60")
  void theDateIsChosenByThisTable() {
    String[][] table = {
      {"", "", ""},
      {RECENT, "", RECENT},
      {"", RECENT, RECENT},
      {RECENT, Fixtures.DAY_3, RECENT},
      {Fixtures.DAY_3, RECENT, RECENT},
      {Fixtures.DAY_1, Fixtures.DAY_2, Fixtures.DAY_2},
      {Fixtures.DAY_2, Fixtures.DAY_1, Fixtures.DAY_2},
      {"2026-01-01T23:30:00-01:00", Fixtures.DAY_2, "2026-01-01T23:30:00-01:00"},
      {"2026-01-02T01:00:00+01:00", Fixtures.DAY_2, Fixtures.DAY_2},
      {Fixtures.DAY_1, "", Fixtures.DAY_1},
      {"", Fixtures.DAY_1, Fixtures.DAY_1},
      {"rubbish", Fixtures.DAY_1, Fixtures.DAY_1},
      {"rubbish", "", ""},
    };
    for (String[] row : table) {
      SyncedFields merged =
          merge(loadFrom(0, 0, row[0]), Fixtures.withLoadFrom(Fixtures.none(), 0, 3, row[1]));
      assertThat(merged.loadFrom().value()).as(List.of(row).toString()).isEqualTo(row[2]);
    }
  }

  @Test
  @Tag("PR-PERSIST-08")
  @Tag("T13")
  void anOverrideIsLoggedInBothDirectionsAndOtherwiseNot() {
    String[] values = {RECENT, Fixtures.DAY_1, "", "rubbish"};
    for (String ours : values) {
      for (String theirs : new String[] {RECENT, Fixtures.DAY_1, ""}) {
        String line = Merge.loadFromOverride(
            loadFrom(0, 0, ours), Fixtures.withLoadFrom(Fixtures.none(), 0, 0, theirs));
        if (ours.equals(RECENT) && theirs.equals(Fixtures.DAY_1)) {
          assertThat(line)
              .isEqualTo(
                  "merge-loadFrom-override local=__LOAD_RECENT__ remote=ISO result=__LOAD_RECENT__");
        } else if (ours.equals(Fixtures.DAY_1) && theirs.equals(RECENT)) {
          assertThat(line)
              .isEqualTo(
                  "merge-loadFrom-override local=ISO remote=__LOAD_RECENT__ result=__LOAD_RECENT__");
        } else {
          assertThat(line).isNull();
        }
      }
    }
  }

  @Test
  @Tag("PR-PERSIST-28")
  @Tag("T12")
  void theVersionCountsChangesAndNeverFalls() {
    assertThat(merge(loadFrom(0, 0, Fixtures.DAY_1), null).loadFrom().version()).isEqualTo(1);
    assertThat(merge(loadFrom(0, 0, ""), null).loadFrom().version()).isZero();
    SyncedFields remote = Fixtures.withLoadFrom(Fixtures.none(), 0, 5, Fixtures.DAY_1);
    assertThat(merge(loadFrom(0, 0, Fixtures.DAY_2), remote).loadFrom().version())
        .isEqualTo(6);
    assertThat(merge(loadFrom(0, 9, Fixtures.DAY_2), remote).loadFrom().version())
        .isEqualTo(9);
    assertThat(merge(loadFrom(0, 0, Fixtures.DAY_1), remote).loadFrom())
        .isSameAs(remote.loadFrom());
    SyncedFields top = Fixtures.withLoadFrom(Fixtures.none(), 0, 1_000_000_000, Fixtures.DAY_1);
    assertThat(merge(loadFrom(0, 0, Fixtures.DAY_2), top).loadFrom().version())
        .isEqualTo(1_000_000_000);
  }

  @Test
  @Tag("PR-PERSIST-23")
  @Tag("T10")
  @Tag("T11")
  @Tag("T15")
  void onlyWhatWasChangedHereReplacesWhatTheRemoteSaysOfAnAuthor() {
    SyncedFields remote =
        Fixtures.withPrefs(Fixtures.none(), 0, Map.of("Ann", 1, "Bob", 1, "Cid", 1));
    Map<String, SyncedFields.AuthorPref> merged = merge(
            prefs(0, Map.of("Ann", -1, "Bob", -1, "Cid", 1, "Dan", 1, "Eve", 0), "Ann", "Cid"),
            remote)
        .authorPrefs()
        .value();
    assertThat(merged.get("Ann")).isEqualTo(new SyncedFields.AuthorPref(-1, 4, NOW, "me:tab"));
    assertThat(merged.get("Bob"))
        .as("not changed here")
        .isEqualTo(remote.authorPrefs().value().get("Bob"));
    assertThat(merged.get("Cid"))
        .as("changed to the same")
        .isEqualTo(remote.authorPrefs().value().get("Cid"));
    assertThat(merged.get("Dan"))
        .as("only here, nobody knows since when")
        .isEqualTo(new SyncedFields.AuthorPref(1, 1, "1970-01-01T00:00:00Z", "unknown"));
    assertThat(merged).as("only here and neutral").doesNotContainKey("Eve");
  }

  @Test
  @Tag("PR-PERSIST-23")
  @Tag("T10")
  void aPreferenceIsTakenBackByAnExplicitZero() {
    SyncedFields remote = Fixtures.withPrefs(Fixtures.none(), 0, Map.of("Ann", 1));
    assertThat(merge(prefs(0, Map.of("Ann", 0), "Ann"), remote)
            .authorPrefs()
            .value()
            .get("Ann"))
        .extracting("v", "version")
        .containsExactly(0, 4);
  }

  @Test
  void aFieldThatSaysTheSameIsTheRemoteOne() {
    SyncedFields remote = Fixtures.full();
    LocalState local = new LocalState(
        Set.of("abc"), 2, Fixtures.DAY_1, 5, 4, Map.of("Ann", 1, "Bob", 1), 6, Set.of("Ann"));
    SyncedFields merged = merge(local, remote);
    assertThat(merged.read()).isSameAs(remote.read());
    assertThat(merged.loadFrom()).isSameAs(remote.loadFrom());
    assertThat(merged.authorPrefs()).isSameAs(remote.authorPrefs());
  }

  @Test
  @Tag("PR-PERSIST-82")
  void keysThatMayNotTravelStayOutOfTheMerge() {
    SyncedFields merged = merge(
        new LocalState(
            Set.of("fine", "not fine"),
            0,
            "",
            0,
            0,
            Map.of("__x__", 1, "Ann", 1),
            0,
            Set.of("__x__", "Ann")),
        null);
    assertThat(merged.read().value()).containsExactly("fine");
    assertThat(merged.authorPrefs().value()).containsOnlyKeys("Ann");
  }

  @Test
  @Tag("PR-PERSIST-51")
  void aFieldOutOfScopeStaysAsTheRemoteHasIt() {
    SyncedFields remote = Fixtures.read(0, "there");
    SyncedFields merged =
        Merge.merge(read(0, "here"), remote, Set.of(SyncedField.LOAD_FROM), "me:tab", NOW);
    assertThat(merged.read()).isSameAs(remote.read());
  }

  @Test
  @Tag("PR-PERSIST-19")
  @Tag("PR-PERSIST-31")
  @Tag("T23")
  @Tag("T24")
  @Tag("T67")
  void tooManyReadMarksAreAllClearedInANewEpoch() {
    SyncedFields fits = Fixtures.withRead(Fixtures.full(), 5, Fixtures.ids("a", 10_000));
    assertThat(Caps.enforce(fits, 10_000, 1_000, "me", NOW)).isSameAs(fits);
    SyncedFields over = Fixtures.withRead(Fixtures.full(), 5, Fixtures.ids("a", 10_001));
    SyncedFields cleared = Caps.enforce(over, 10_000, 1_000, "me", NOW);
    assertThat(cleared.read()).isEqualTo(new SyncedFields.Read(NOW, "me", 6, Set.of()));
    assertThat(cleared.authorPrefs()).isSameAs(over.authorPrefs());
    assertThat(cleared.loadFrom()).isSameAs(over.loadFrom());
  }

  @Test
  @Tag("PR-PERSIST-20")
  @Tag("T25")
  @Tag("T26")
  @Tag("T27")
  @Tag("T60")
  void tooManyPreferencesLoseTheOldestNeutralOnesFirst() {
    Map<String, SyncedFields.AuthorPref> prefs = new LinkedHashMap<>();
    prefs.put("newLike", new SyncedFields.AuthorPref(1, 1, Fixtures.DAY_3, "a"));
    prefs.put("oldLike", new SyncedFields.AuthorPref(1, 1, Fixtures.DAY_1, "a"));
    prefs.put("newZero", new SyncedFields.AuthorPref(0, 1, Fixtures.DAY_3, "a"));
    prefs.put("oldZero", new SyncedFields.AuthorPref(0, 1, Fixtures.DAY_1, "b"));
    prefs.put("olderByWriter", new SyncedFields.AuthorPref(0, 1, Fixtures.DAY_1, "a"));
    prefs.put("olderByName", new SyncedFields.AuthorPref(0, 1, "2026-01-01T01:00:00+01:00", "a"));
    prefs.put("unknownDate", new SyncedFields.AuthorPref(0, 1, "whenever", "z"));
    SyncedFields fields = new SyncedFields(
        Fixtures.full().read(),
        Fixtures.full().loadFrom(),
        new SyncedFields.AuthorPrefs(Fixtures.DAY_1, "x", 2, prefs));
    List<String> order = List.of(
        "unknownDate", "olderByName", "olderByWriter", "oldZero", "newZero", "oldLike", "newLike");
    for (int cap = 1; cap < order.size(); cap++) {
      SyncedFields compact = Caps.enforce(fields, 10, cap, "me", NOW);
      Set<String> gone = new HashSet<>(prefs.keySet());
      gone.removeAll(compact.authorPrefs().value().keySet());
      assertThat(gone).containsExactlyInAnyOrderElementsOf(order.subList(0, order.size() - cap));
      assertThat(compact.authorPrefs())
          .extracting("updatedAt", "updatedBy", "clearEpoch")
          .containsExactly(NOW, "me", 2);
      assertThat(compact.read()).isSameAs(fields.read());
    }
    assertThat(Caps.enforce(fields, 10, 7, "me", NOW)).isSameAs(fields);
  }
}
