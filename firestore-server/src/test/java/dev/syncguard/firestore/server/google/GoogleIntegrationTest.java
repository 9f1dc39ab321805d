package dev.syncguard.firestore.server.google;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.google.GoogleTests.Guise;
import dev.syncguard.firestore.server.google.GoogleTests.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every integration test of Google's Java client passes, but for a short list with reasons. A test that skips itself
 * before an emulator is run again before what it takes for production, with missing indexes refused; one that still
 * skips itself, because it wants composite indexes that nobody has made, is not let out either: we need none.
 */
class GoogleIntegrationTest {
  private static final int TESTS = 297;

  @TestFactory
  List<DynamicTest> googlesOwnTestsPass() throws Exception {
    Map<String, String> exceptions = exceptions();
    List<String> tests = new ArrayList<>(GoogleTests.all());
    tests.removeAll(exceptions.keySet());
    Map<String, Result> results = new LinkedHashMap<>();
    try (FirestoreServer server = FirestoreServer.builder().start()) {
      results.putAll(GoogleTests.run(tests, server, Guise.EMULATOR));
    }
    try (FirestoreServer strict = FirestoreServer.builder().strictIndexes(true).start()) {
      results.putAll(GoogleTests.run(skipped(results), strict, Guise.PRODUCTION));
    }
    try (FirestoreServer server = FirestoreServer.builder().start()) {
      results.putAll(GoogleTests.run(skipped(results), server, Guise.ANYTHING));
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
    assertThat(tests).hasSize(TESTS);
    assertThat(tests).containsAll(exceptions().keySet());
    assertThat(exceptions().size()).isLessThanOrEqualTo(TESTS * 3 / 100);
  }

  private static List<String> skipped(Map<String, Result> results) {
    return results.entrySet().stream()
        .filter(result -> result.getValue().skipped())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns the tests that are not expected to pass, with the reason for each. */
  private static Map<String, String> exceptions() throws IOException {
    Map<String, String> exceptions = new LinkedHashMap<>();
    try (InputStream file = Objects.requireNonNull(
        GoogleIntegrationTest.class.getResourceAsStream("/google-exceptions.txt"))) {
      for (String line :
          new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          String[] parts = line.split("\\s+", 2);
          assertThat(parts).as("a test and a reason: " + line).hasSize(2);
          exceptions.put(parts[0], parts[1]);
        }
      }
    }
    return exceptions;
  }
}
