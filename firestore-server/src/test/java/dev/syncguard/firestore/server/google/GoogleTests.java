package dev.syncguard.firestore.server.google;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs Google's tests in processes of their own and collects what became of each. */
public final class GoogleTests {
  /** How a test is run; some skip themselves when they see an emulator. */
  enum TestMode {
    EMULATOR,
    /** The client is kept from saying that it talks to an emulator. */
    PRODUCTION,
    /** Every assumption of a test is taken for granted. */
    ANYTHING,
    /** Every answer arrives a while later. */
    DELAYED,
    /** The client's channel makes spans, as it does before any server but an emulator. */
    TRACED,
    /** The tests are told that the server is the one that accepts large documents. */
    ENTERPRISE
  }

  /** What became of one test. */
  record Result(String status, String message) {
    boolean passed() {
      return status.equals("PASSED");
    }

    boolean skipped() {
      return status.equals("SKIPPED");
    }
  }

  static final List<String> CLASSES = List.of(
      "ITSystemTest",
      "ITQueryAggregationsTest",
      "ITQueryCountTest",
      "ITQueryTest",
      "ITQueryFindNearestTest",
      "ITQueryWatchTest",
      "ITBulkWriterTest",
      "ITLargeDocumentTest",
      "ITShutdownTest",
      "ITTracingTestGlobalOtel",
      "ITTracingTestNonGlobalOtel");

  private GoogleTests() {}

  /** Returns every test of the classes as {@code Class#method}. */
  public static List<String> all() throws ClassNotFoundException {
    List<String> tests = new ArrayList<>();
    for (String name : CLASSES) {
      // Named methods, not loaded code: the class is not initialised here.
      Class<?> testClass = Class.forName(
          GoogleTestProcess.PACKAGE + name, false, GoogleTests.class.getClassLoader());
      Stream<Method> methods = Arrays.stream(testClass.getMethods());
      methods
          .filter(method -> method.isAnnotationPresent(org.junit.Test.class))
          .map(method -> name + "#" + method.getName())
          .sorted()
          .forEach(tests::add);
    }
    return tests;
  }

  /** Returns what a list of ours, such as {@code /google-exceptions.txt}, says about each test that it names. */
  public static Map<String, String> notes(String list) throws IOException {
    Map<String, String> notes = new LinkedHashMap<>();
    try (InputStream file = Objects.requireNonNull(GoogleTests.class.getResourceAsStream(list))) {
      for (String line :
          new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          String[] parts = line.split("\\s+", 2);
          if (parts.length < 2) {
            throw new IllegalStateException("No word about a test: " + line);
          }
          notes.put(parts[0], parts[1]);
        }
      }
    }
    return notes;
  }

  /** Runs the tests one after the other; a process that dies is replaced, and its test counts as failed. */
  static Map<String, Result> run(List<String> tests, String host, TestMode mode)
      throws IOException, InterruptedException {
    Map<String, Result> results = new LinkedHashMap<>();
    List<String> left = new ArrayList<>(tests);
    while (!left.isEmpty()) {
      runProcess(left, host, mode, results);
      left.removeIf(results::containsKey);
      if (!left.isEmpty()) {
        results.putIfAbsent(
            left.get(0), new Result("FAILED", "the process ended before it answered"));
        left.removeIf(results::containsKey);
      }
    }
    return results;
  }

  private static void runProcess(
      List<String> tests, String host, TestMode mode, Map<String, Result> results)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-Djdk.attach.allowAttachSelf=true",
        "-XX:+EnableDynamicAgentLoading",
        "-Dnet.bytebuddy.experimental=true",
        "-D" + GoogleTestProcess.MODE + "=" + mode,
        "-cp",
        System.getProperty("java.class.path"),
        GoogleTestProcess.class.getName()));
    command.addAll(tests);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Map<String, String> environment = builder.environment();
    environment.put("FIRESTORE_EMULATOR_HOST", host);
    environment.put("GOOGLE_CLOUD_PROJECT", "demo-google");
    environment.remove("FIRESTORE_TARGET_BACKEND"); // anything else could dial Google
    environment.put("FIRESTORE_EDITION", "STANDARD");
    Process process = builder.start();
    try (BufferedReader output = process.inputReader()) {
      output.lines().filter(line -> line.startsWith("OUTCOME\t")).forEach(line -> {
        String[] parts = line.split("\t", 5);
        results.put(parts[1] + "#" + parts[2], new Result(parts[3], parts[4]));
      });
    } finally {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }
}
