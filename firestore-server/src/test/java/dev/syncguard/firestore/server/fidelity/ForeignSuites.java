package dev.syncguard.firestore.server.fidelity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.firestore.server.google.GoogleConformance;
import dev.syncguard.firestore.server.google.GoogleTests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The programs of others that judge the server in every build, counted where the tests that run them take them from: what
 * these must pass, they pass, or the build is red.
 */
final class ForeignSuites {
  /** Suites that nobody could run here. */
  static final List<String> NOT_RUN = List.of(
      "The web SDK's own integration tests: [listed below](#the-web-sdks-own-integration-tests).",
      "Google's system tests for Node: the package on npm has no tests.",
      "Google's pipeline tests for Java (`ITPipeline*`, `ITQueryToPipelineTest`): pipelines belong to the enterprise edition; here,"
          + " as in the standard edition, they are INVALID_ARGUMENT.",
      "Google's end-to-end tracing tests for Java (`ITE2ETracing*`): they look for their spans in Google's Cloud Trace.");

  private static final Path SOURCES = Path.of("src", "test");
  private static final Path OURS = SOURCES.resolve("java/dev/syncguard/firestore/server");
  private static final Path ANDROID =
      Path.of("..", "firestore-server-android-tests").resolve(OURS).resolve("android");
  private static final Pattern JAR = Pattern.compile("-(\\d[\\w.]*?)(-tests)?\\.jar");
  private static final Pattern SCENARIO = Pattern.compile("(?m)^  async '([^']+)'");
  private static final Pattern TEST_METHOD =
      Pattern.compile("@(?:Test|ParameterizedTest)\\s(?:\\s*@\\w+\\s)?\\s*void (\\w+)\\(");
  private static final Pattern TEST_OF_EVERY_PHONE =
      Pattern.compile("@ParameterizedTest\\s+@EnumSource\\s+void (\\w+)\\(");
  private static final Pattern WORD = Pattern.compile("[A-Z]");
  private static final Pattern NODE_TEST = Pattern.compile("(?m)^test\\('([^']+)'");

  /** Tests of others, of which all pass but the exceptions. */
  record Suite(String name, String version, int tests, int exceptions) {}

  /** A class of Google's tests; some pass in another mode. */
  record GoogleClass(String name, int tests, int otherwise, int exceptions) {}

  /** A test of the web SDK that its package only declares, and what stands for it here. */
  record Declared(String name, String standsForIt) {}

  /** A client of others and what we do with it. */
  record Client(String name, String version, String where, List<String> scenarios) {}

  private ForeignSuites() {}

  static List<Suite> suites() throws Exception {
    List<GoogleConformance.Case> conformance = GoogleConformance.all();
    int commits = conformance.stream()
        .mapToInt(test -> GoogleConformance.commits(test.content()).size())
        .sum();
    int queries = count(conformance, test -> test.path("query").path("query").isObject());
    int listens = count(
        conformance,
        test -> test.path("listen").path("snapshots").isArray()
            || test.path("listen").path("isError").asBoolean());
    String client = version("com/google/cloud/firestore/it/ITSystemTest.class");
    String files = version("com/google/cloud/conformance/firestore/v1");
    return List.of(
        new Suite(
            "Google's integration tests of its Java client",
            client,
            GoogleTests.all().size(),
            exceptions().size()),
        new Suite("Google's conformance tests: commits that are accepted", files, commits, 0),
        new Suite("Google's conformance tests: queries that are accepted", files, queries, 0),
        new Suite("Google's conformance tests: sequences of a listener", files, listens, 0));
  }

  private static int count(List<GoogleConformance.Case> cases, Predicate<JsonNode> kind) {
    return (int) cases.stream().filter(test -> kind.test(test.content())).count();
  }

  static Map<String, String> exceptions() throws IOException {
    return GoogleTests.notes("/google-exceptions.txt");
  }

  /** Returns how many tests pass in each mode other than that of an emulator. */
  static Map<String, Integer> modes() throws IOException {
    Map<String, Integer> modes = new TreeMap<>();
    GoogleTests.notes("/google-test-modes.txt")
        .values()
        .forEach(mode -> modes.merge(mode, 1, Integer::sum));
    return modes;
  }

  static List<GoogleClass> googleClasses() throws Exception {
    Map<String, List<String>> classes = new LinkedHashMap<>();
    for (String test : GoogleTests.all()) {
      classes
          .computeIfAbsent(test.substring(0, test.indexOf('#')), any -> new ArrayList<>())
          .add(test);
    }
    Map<String, String> exceptions = exceptions();
    Map<String, String> modes = GoogleTests.notes("/google-test-modes.txt");
    List<GoogleClass> counted = new ArrayList<>();
    classes.forEach((name, tests) -> counted.add(new GoogleClass(
        name, tests.size(), (int) tests.stream().filter(modes::containsKey).count(), (int)
            tests.stream().filter(exceptions::containsKey).count())));
    return counted;
  }

  /** Returns the web SDK's own integration tests; refuses scenarios that there are not. */
  static List<Declared> declaredByTheWebSdk() throws IOException {
    List<String> scenarios = new ArrayList<>(names(SCENARIO, "browser", "scenarios.js"));
    scenarios.addAll(names(SCENARIO, "browser", "api.js"));
    List<Declared> tests = new ArrayList<>();
    GoogleTests.notes("/web-sdk-tests.txt").forEach((name, ours) -> {
      if (!ours.startsWith("- ") && !scenarios.containsAll(List.of(ours.split("; ")))) {
        throw new IllegalStateException("For " + name + " there are no such scenarios: " + ours);
      }
      tests.add(new Declared(name, ours));
    });
    return tests;
  }

  /** Returns the release of the web SDK whose package declares them. */
  static String newestWebSdk() throws IOException {
    String version = dependencies("browser").path("firestore-12").asText();
    return version.substring(version.indexOf(':') + 1);
  }

  static List<Client> clients() throws IOException {
    JsonNode browser = dependencies("browser");
    List<String> scenarios = names(SCENARIO, "browser", "scenarios.js");
    List<Client> clients = new ArrayList<>();
    for (String major : List.of("12", "11", "10")) {
      String version = browser.path("firestore-" + major).asText();
      clients.add(new Client(
          "Firebase web SDK " + major,
          "`" + version.substring(version.indexOf(':') + 1) + "`",
          "Chromium and Firefox, streaming and long polling; two of them also behind a proxy that buffers",
          scenarios));
    }
    List<String> functions = names(SCENARIO, "browser", "api.js");
    for (String major : List.of("12", "11", "10")) {
      String version = browser.path("firestore-" + major).asText();
      clients.add(new Client(
          "The API of Firebase web SDK " + major,
          "`" + version.substring(version.indexOf(':') + 1) + "`",
          "Chromium and Firefox, streaming and long polling; Node, over gRPC, where ten of the scenarios above run as well",
          functions));
    }
    clients.add(new Client(
        "Firebase's library for tests of rules",
        "`@firebase/rules-unit-testing@"
            + dependencies("node-rules").path("@firebase/rules-unit-testing").asText() + "`",
        "Node",
        names(NODE_TEST, "node-rules", "rules.test.js")));
    clients.add(new Client(
        "Google's client for Node",
        "`@google-cloud/firestore@"
            + dependencies("node").path("@google-cloud/firestore").asText() + "`",
        "Node, over gRPC and over REST",
        names(SCENARIO, "node", "client.js")));
    Path recording = SOURCES.resolve("resources/android-requests.txt");
    Path phones = OURS.resolve("grpc/PhoneClientsTest.java");
    String android = named("gl-java/ fire/([\\d.]+) ", recording);
    clients.add(new Client(
        "SDK for Android",
        "`firebase-firestore:" + android + "`",
        "a JVM, as `dev.gitlive:firebase-java-sdk:"
            + named(
                "firebase-java-sdk</artifactId>\\s+<version>([\\d.]+)<",
                Path.of("..", "firestore-server-android-tests", "pom.xml"))
            + "` makes it run there, over gRPC",
        sentences(TEST_METHOD, ANDROID.resolve("AndroidSdkIT.java"))));
    clients.add(new Client(
        "Requests of the SDK for Android",
        "`" + android + "`",
        "a plain gRPC channel; headers are recorded from that SDK, on a JVM",
        sentences(TEST_METHOD, phones)));
    clients.add(new Client(
        "Requests of the SDK for iOS",
        "`" + named("gl-objc/ fire/([\\d.]+) ", phones) + "`",
        "a plain gRPC channel; headers are taken from the SDK's public source: no iPhone was recorded, and the SDK itself was not run",
        sentences(TEST_OF_EVERY_PHONE, phones)));
    clients.add(new Client(
        "Functions emulator of Firebase's tools",
        "`firebase-tools@"
            + named(" firebase-tools@([\\d.]+)", Path.of("..", ".ci", "try-firebase-tools")) + "`",
        "requests as recorded; the tools themselves run in `.ci/try-firebase-tools`, which is not part of the build",
        sentences(TEST_METHOD, OURS.resolve("trigger/FunctionsEmulatorTest.java"))));
    return clients;
  }

  /** Returns what a file says in the group of a pattern. */
  private static String named(String pattern, Path file) throws IOException {
    Matcher found = Pattern.compile(pattern).matcher(Files.readString(file));
    if (!found.find()) {
      throw new IOException(file + " says nothing like " + pattern);
    }
    return found.group(1);
  }

  /** Returns the names of those of a test's methods as sentences. */
  private static List<String> sentences(Pattern methods, Path test) throws IOException {
    return methods
        .matcher(Files.readString(test))
        .results()
        .map((MatchResult match) -> WORD.matcher(match.group(1))
            .replaceAll(word -> " " + word.group().toLowerCase(Locale.ROOT)))
        .toList();
  }

  private static JsonNode dependencies(String project) throws IOException {
    return new ObjectMapper()
        .readTree(SOURCES.resolve(project).resolve("package.json").toFile())
        .path("dependencies");
  }

  private static List<String> names(Pattern pattern, String project, String file)
      throws IOException {
    String source = Files.readString(SOURCES.resolve(project).resolve(file));
    return pattern
        .matcher(source)
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  /** Returns the version in the name of the jar that a resource comes from. */
  private static String version(String resource) {
    String url = Objects.requireNonNull(ForeignSuites.class.getClassLoader().getResource(resource))
        .toString();
    Matcher jar = JAR.matcher(url);
    if (!jar.find()) {
      throw new UncheckedIOException(new IOException("No version in " + url));
    }
    return jar.group(1);
  }
}
