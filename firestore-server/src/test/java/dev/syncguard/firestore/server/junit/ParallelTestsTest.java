package dev.syncguard.firestore.server.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Where JUnit runs tests in parallel, no test loses its documents to the end of another. */
@Timeout(180)
class ParallelTestsTest {
  private static final AtomicInteger RUNNING = new AtomicInteger();

  /** Not found by the build, only by the test below. */
  @FirestoreTest
  @Execution(ExecutionMode.CONCURRENT)
  static class Concurrent {
    @RepeatedTest(8)
    void keepsItsDocument(RepetitionInfo repetition, Firestore firestore) throws Exception {
      try {
        assertThat(RUNNING.incrementAndGet()).as("tests at once").isEqualTo(1);
        String path = "c/" + repetition.getCurrentRepetition();
        firestore.document(path).set(Map.of("n", 1)).get();
        assertThat(firestore.collection("c").get().get().size()).isEqualTo(1);
      } finally {
        RUNNING.decrementAndGet();
      }
    }
  }

  @Test
  void testsOfOneClassRunOneAfterTheOther() {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(Concurrent.class))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter(
                    "junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
                .build(),
            summary);
    assertThat(summary.getSummary().getFailures())
        .allSatisfy(failure -> assertThat(failure.getException()).isNull());
    assertThat(summary.getSummary().getTestsSucceededCount()).isEqualTo(8);
  }
}
