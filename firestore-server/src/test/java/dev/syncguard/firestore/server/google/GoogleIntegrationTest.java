package dev.syncguard.firestore.server.google;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.google.GoogleTests.Result;
import dev.syncguard.firestore.server.google.GoogleTests.TestMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every integration test of Google's Java client passes, but for a short list with reasons. Those that skip themselves
 * before an emulator, or rely on latency, are listed, too, with the mode in which they run instead;
 * whoever skips must be on that list.
 */
@Tag("slow")
class GoogleIntegrationTest {
  private static final int TESTS = 349;
  private static final Duration DELAY = Duration.ofSeconds(1);

  @TestFactory
  List<DynamicTest> googlesOwnTestsPass() throws Exception {
    List<String> tests = new ArrayList<>(GoogleTests.all());
    tests.removeAll(GoogleTests.notes("/google-exceptions.txt").keySet());
    Map<String, String> modes = GoogleTests.notes("/google-test-modes.txt");
    Map<String, Result> results = new LinkedHashMap<>();
    for (TestMode mode : TestMode.values()) {
      List<String> chosen = tests.stream()
          .filter(test -> mode.name().equals(modes.getOrDefault(test, "EMULATOR")))
          .toList();
      try (FirestoreServer server = FirestoreServer.builder()
              .strictIndexes(mode == TestMode.PRODUCTION)
              .largeDocuments(mode == TestMode.ENTERPRISE)
              .start();
          DelayingProxy delayed = new DelayingProxy(server.emulatorHost(), DELAY)) {
        String host = mode == TestMode.DELAYED ? delayed.host() : server.emulatorHost();
        results.putAll(GoogleTests.run(chosen, host, mode));
      }
    }
    return tests.stream()
        .map(test -> dynamicTest(test, () -> {
          Result result = Objects.requireNonNull(results.get(test));
          assertThat(result.status()).as(result.message()).isEqualTo("PASSED");
        }))
        .toList();
  }

  @Test
  void theExceptionsAreFewAndNameTestsThatExist() throws Exception {
    List<String> tests = GoogleTests.all();
    Set<String> exceptions = GoogleTests.notes("/google-exceptions.txt").keySet();
    Map<String, String> modes = GoogleTests.notes("/google-test-modes.txt");
    assertThat(tests).hasSize(TESTS).containsAll(exceptions).containsAll(modes.keySet());
    assertThat(exceptions).hasSizeLessThanOrEqualTo(2);
    assertThat(modes.keySet()).doesNotContainAnyElementsOf(exceptions);
    assertThat(modes.values())
        .containsOnly("PRODUCTION", "ANYTHING", "DELAYED", "TRACED", "ENTERPRISE");
  }
}
