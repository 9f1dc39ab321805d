package dev.syncguard.lock.testkit.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.CleanupPace;
import dev.syncguard.torture.Campaign;
import dev.syncguard.torture.FaultKind;
import dev.syncguard.torture.Settings;
import dev.syncguard.torture.ThreadCrew;
import dev.syncguard.torture.history.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a stranger's campaign finds out about wrong backends, whose inside it does not know. */
@Tag("slow")
class WrongUnderTortureTest {

  private static final int TRIES = Integer.getInteger("syncguard.torture.tries", 8);
  private static final int AT_A_TIME = 16;

  /**
   * Those that a campaign must find: what they do wrong becomes visible to somebody who takes locks. The others do wrong what
   * nobody can see from there, such as the text of a message, or what a lock only lasts longer by.
   */
  private static final List<String> VISIBLE = List.of(
      "fence repeats",
      "fence is shared between keys",
      "refused attempt uses up a fence",
      "keys lose their case",
      "fence goes with the release",
      "fence goes with a crash",
      "lock goes with a crash",
      "release does not check the owner",
      "extend does not check the owner",
      "release succeeds twice",
      "two are granted in a race",
      "refused attempt steals",
      "a stranger ends a lock",
      "a stranger prolongs a lock",
      "a release ends all locks",
      "closing ends the leases",
      "cleanup takes the living",
      "lookup finds the neighbour",
      "lookup does not check the owner",
      "leaving the line ends the lease",
      "leases never end",
      "extend is confirmed but not stored",
      "nobody gets what was handed over",
      "line ignores the holder",
      "take over keeps the fence");

  @Test
  void whatCanBeSeenFromOutsideIsFound() throws Exception {
    boolean all = System.getProperty("syncguard.torture.all") != null;
    List<String> chosen = all ? Wrong.ways().map(Wrong::what).toList() : VISIBLE;
    Map<String, Future<List<Violation>>> running = new LinkedHashMap<>();
    ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
    try {
      for (String what : chosen) {
        running.put(what, threads.submit(() -> find(Wrong.named(what))));
      }
      Map<String, List<Violation>> found = new LinkedHashMap<>();
      for (Map.Entry<String, Future<List<Violation>>> search : running.entrySet()) {
        found.put(search.getKey(), search.getValue().get());
      }
      if (all) {
        Map<String, Set<String>> kinds = new LinkedHashMap<>();
        found.forEach((what, violations) -> kinds.put(
            what,
            violations.stream()
                .map(violation -> violation.kind().name())
                .collect(Collectors.toSet())));
        TortureTrace.write(kinds);
      }
      List<String> missed = new ArrayList<>(found.keySet());
      missed.removeIf(what -> !found.getOrDefault(what, List.of()).isEmpty());
      assertThat(missed).doesNotContainAnyElementsOf(VISIBLE);
    } finally {
      threads.shutdownNow();
    }
  }

  /** What is not found, and why, was written down when all of them were shown. */
  @Test
  void everyWrongBackendWasShownToTortureAndIsExplainedIfItGotAway() throws Exception {
    Map<String, TortureTrace> traces = TortureTrace.read();
    assertThat(traces.keySet())
        .containsExactlyInAnyOrderElementsOf(Wrong.ways().map(Wrong::what).toList());
    assertThat(traces.values())
        .allSatisfy(trace -> assertThat(trace.found() || !trace.reason().isBlank())
            .as(trace.what())
            .isTrue());
    assertThat(traces.values().stream().filter(TortureTrace::found).map(TortureTrace::what))
        .containsAll(VISIBLE);
  }

  @Test
  void aPlainBackendThatIsRightIsAccusedOfNothing() {
    assertThat(torture(Wrong.NOTHING, 1, Cancellation.none())).isEmpty();
  }

  /** Tries again with another seed: chance may have kept what is wrong from showing. */
  private static List<Violation> find(Wrong wrong) {
    List<Violation> found = List.of();
    for (int seed = 1; seed <= TRIES && found.isEmpty(); seed++) {
      found = torture(wrong, seed, Cancellation.none());
    }
    return found;
  }

  private static List<Violation> torture(Wrong wrong, int seed, Cancellation cancellation) {
    PlainStore store = new PlainStore(Time.system());
    Settings settings = new Settings(
        Duration.ofSeconds(8),
        4,
        2,
        2,
        Duration.ofMillis(2500),
        Duration.ofSeconds(6),
        seed,
        "torture:",
        EnumSet.noneOf(FaultKind.class));
    ThreadCrew crew = new ThreadCrew(() -> wrong
        .backend()
        .apply(store)
        .cleaning(new CleanupPace(Duration.ofMillis(100), Time.system()), Runnable::run));
    return new Campaign(settings, crew, wrong.backend().apply(store))
        .withStoreRestarts(() -> crash(store, wrong))
        .run(Campaign.Progress.unseen(), cancellation)
        .violations();
  }

  private static void crash(PlainStore store, Wrong wrong) {
    synchronized (store) {
      store.line.clear();
      wrong.backend().apply(store).crash();
    }
  }
}
