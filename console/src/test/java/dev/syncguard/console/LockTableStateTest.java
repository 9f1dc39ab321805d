package dev.syncguard.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a page is told of a table that changes. */
class LockTableStateTest {

  private static final LockTableState.Observer NOBODY = new LockTableState.Observer() {
    @Override
    public void taken(LockRow row) {}

    @Override
    public void ended(LockRow row) {}
  };

  private final LockTableState table = new LockTableState();

  @Test
  void whoKnowsNothingIsToldEverythingAndThenOnlyChanges() {
    table.replace(List.of(row("a", 9_000), row("b", 9_000)), 1_000, NOBODY);
    JsonNode first = table.changesSince(0);
    assertThat(first.get("all").asBoolean()).isTrue();
    assertThat(first.get("locks")).hasSize(2);

    table.replace(List.of(row("b", 9_000), row("c", 9_000)), 2_000, NOBODY);
    JsonNode next = table.changesSince(first.get("revision").asLong());
    assertThat(next.get("all").asBoolean()).isFalse();
    assertThat(next.get("locks").findValuesAsText("id")).containsExactly("c");
    assertThat(next.get("gone")).hasSize(1);
  }

  @Test
  void aBarIsAsLongAsTheLeaseWasWhenItWasRenewed() {
    table.replace(List.of(row("a", 9_000)), 1_000, NOBODY);
    table.replace(List.of(row("a", 9_003)), 2_000, NOBODY); // clocks read a moment apart
    assertThat(table.changesSince(0).get("locks").get(0).get("renewed").asLong())
        .isZero();
    table.replace(List.of(row("a", 15_000)), 3_000, NOBODY);
    assertThat(table.changesSince(0).get("locks").get(0).get("renewed").asLong())
        .isEqualTo(3_000);
  }

  @Test
  void aPageOfAnEarlierConsoleIsToldEverything() {
    table.replace(List.of(row("a", 9_000)), 1_000, NOBODY);

    assertThat(table.changesSince(99).get("all").asBoolean()).isTrue();
  }

  /** Pages that ask now and then, whenever they like, end up with what is there. */
  @Test
  void changesAddUpToTheWholeTable() {
    Random random = new Random(7);
    Set<String> live = new HashSet<>();
    List<Map<String, String>> pages = new ArrayList<>();
    long[] known = new long[5];
    for (int i = 0; i < 5; i++) {
      pages.add(new HashMap<>());
    }
    for (int round = 0; round < 400; round++) {
      for (int i = 0; i < 8; i++) {
        String id = "id" + random.nextInt(40);
        if (!live.remove(id)) {
          live.add(id);
        }
      }
      long until = 10_000L + round / 20 * 5_000L;
      table.replace(live.stream().map(id -> row(id, until)).toList(), round, NOBODY);
      for (int i = 0; i < 5; i++) {
        if (random.nextInt(4) == 0 || round == 399) {
          JsonNode answer = table.changesSince(known[i]);
          Map<String, String> page = pages.get(i);
          if (answer.get("all").asBoolean()) {
            page.clear();
          }
          answer.get("gone").forEach(id -> page.remove(id.asText()));
          answer
              .get("locks")
              .forEach(
                  lock -> page.put(lock.get("id").asText(), lock.get("until").asText()));
          known[i] = answer.get("revision").asLong();
        }
      }
    }
    for (Map<String, String> page : pages) {
      assertThat(page.keySet()).isEqualTo(live);
      assertThat(new HashSet<>(page.values())).containsExactly("105000");
    }
  }

  private static LockRow row(String id, long until) {
    return new LockRow(
        id, id, "1", 0, until, 0, Optional.empty(), OptionalInt.empty(), Optional.empty());
  }
}
