package dev.syncguard.firestore.server.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.transaction.ListHistory.Entry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The checker finds every anomaly that is planted, and nothing where nothing is wrong. */
class ListHistoryTest {
  private final ListHistory history = new ListHistory();

  @Test
  void aSerialHistoryIsAccepted() {
    history.add(new Entry(1, Map.of("x", List.of()), Set.of("x")));
    history.add(new Entry(2, Map.of("x", List.of(1)), Set.of("x", "y")));
    history.add(new Entry(3, Map.of("x", List.of(1), "y", List.of()), Set.of()));
    assertThat(history.anomaly(Map.of("x", List.of(1, 2), "y", List.of(2)))).isEmpty();
  }

  @Test
  void aLostUpdateIsFound() {
    history.add(new Entry(1, Map.of("x", List.of()), Set.of("x")));
    history.add(new Entry(2, Map.of("x", List.of()), Set.of("x")));
    assertThat(history.anomaly(Map.of("x", List.of(2)))).isPresent();
    assertThat(history.anomaly(Map.of("x", List.of(1, 2))))
        .as("both read the same state")
        .isPresent();
  }

  @Test
  void aWriteSkewIsFound() {
    history.add(new Entry(1, Map.of("x", List.of(), "y", List.of()), Set.of("x")));
    history.add(new Entry(2, Map.of("x", List.of(), "y", List.of()), Set.of("y")));
    assertThat(history.anomaly(Map.of("x", List.of(1), "y", List.of(2)))).isPresent();
  }

  @Test
  void aReadOfWhatWasRolledBackIsFound() {
    history.add(new Entry(1, Map.of("x", List.of(9)), Set.of()));
    assertThat(history.anomaly(Map.of("x", List.of()))).isPresent();
  }

  @Test
  void aReadOfHalfACommitIsFound() {
    history.add(new Entry(1, Map.of(), Set.of("x", "y")));
    history.add(new Entry(2, Map.of("x", List.of(1), "y", List.of()), Set.of()));
    assertThat(history.anomaly(Map.of("x", List.of(1), "y", List.of(1)))).isPresent();
  }
}
