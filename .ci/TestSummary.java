import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Says how many tests ran, and how many contracts ran on which backend, from the last build.
 *
 * <p>A contract is a class whose name ends in {@code Contract}. A test class that extends one,
 * directly or not, runs it for the backend that the report is named after: what is nested in
 * {@code SqliteContractsTest}, or in a class that it extends, runs for {@code Sqlite}.
 *
 * <p>Fails when a test was skipped, when a test class left no report, when tests hide in a class that no
 * build phase runs, and when a test that proves a requirement of the locks did not run.
 */
final class TestSummary {
  private static final Pattern EXTENDS =
      Pattern.compile("\\bclass\\s+(\\w+)(?:<[^{]*?>)?\\s+extends\\s+(?:\\w+\\.)*(\\w+)");
  private static final Pattern TEST = Pattern.compile(
      "(?m)^\\s*@(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\\b");
  /** A test that a page of requirements names as proof, by its class and its method. */
  private static final Pattern PROOF =
      Pattern.compile("`\\w+(?:Test|IT|Contract|Contracts)\\.(\\w+)`");

  private static final Pattern FIRST_WORD = Pattern.compile("[A-Z]+[a-z0-9]*");

  private final Map<String, String> parents = new HashMap<>();
  private final Set<String> testClasses = new TreeSet<>();
  private final Set<String> reported = new HashSet<>();
  private final Set<String> methodsThatRan = new HashSet<>();
  private final Map<String, Map<String, Integer>> checksByBackend = new TreeMap<>();
  private final List<String> complaints = new ArrayList<>();
  private int tests;
  private int failures;
  private int errors;
  private int skipped;

  public static void main(String[] args) throws Exception {
    var summary = new TestSummary();
    for (Path source : find("src", ".java")) {
      summary.readSource(source);
    }
    for (Path report : find("target", ".xml")) {
      if (report.getFileName().toString().startsWith("TEST-")) {
        summary.readReport(report);
      }
    }
    summary.readProofs(Path.of("docs/lock-requirements.md"));
    System.exit(summary.print() ? 0 : 1);
  }

  /** Returns the files below {@code <module>/<directory>} with this ending. */
  private static List<Path> find(String directory, String ending) throws IOException {
    var found = new ArrayList<Path>();
    try (var modules = Files.newDirectoryStream(
        Path.of(""), module -> Files.isDirectory(module.resolve(directory)))) {
      for (Path module : modules) {
        try (Stream<Path> files = Files.walk(module.resolve(directory))) {
          files.filter(file -> file.toString().endsWith(ending)).forEach(found::add);
        }
      }
    }
    return found;
  }

  private void readSource(Path file) throws IOException {
    String name = file.getFileName().toString().replace(".java", "");
    String source = Files.readString(file);
    EXTENDS.matcher(source).results().forEach(match -> {
      parents.put(match.group(1), match.group(2));
      parents.put(name + "$" + match.group(1), match.group(2));
    });
    boolean isAbstract = source.contains("abstract class " + name);
    if (!file.toString().contains("/src/test/") || isAbstract) {
      return;
    }
    if (name.endsWith("Test") || name.endsWith("IT")) {
      testClasses.add(name);
    } else if (!name.endsWith("Campaign") && TEST.matcher(source).find()) {
      // Campaigns have commands of their own.
      complaints.add(file + " has tests, but only classes named *Test or *IT are run");
    }
  }

  private void readReport(Path file) throws Exception {
    var suite = DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(file.toFile())
        .getDocumentElement();
    tests += Integer.parseInt(suite.getAttribute("tests"));
    failures += Integer.parseInt(suite.getAttribute("failures"));
    errors += Integer.parseInt(suite.getAttribute("errors"));
    skipped += Integer.parseInt(suite.getAttribute("skipped"));
    String outermost = simpleName(suite.getAttribute("name"));
    reported.add(outermost);
    var cases = suite.getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      var test = (Element) cases.item(i);
      String className = test.getAttribute("classname");
      if (test.getElementsByTagName("skipped").getLength() > 0) {
        complaints.add(className + "." + test.getAttribute("name") + " was skipped");
      }
      methodsThatRan.add(test.getAttribute("name").replaceFirst("\\W.*", ""));
      countContract(outermost, simpleName(className));
    }
  }

  /** Complains of tests that are named as proof and did not run. */
  private void readProofs(Path page) throws IOException {
    PROOF
        .matcher(Files.readString(page))
        .results()
        .map(proof -> proof.group(1))
        .distinct()
        .forEach(method -> {
          if (!methodsThatRan.contains(method)) {
            complaints.add(page + " names " + method + ", which did not run");
          }
        });
  }

  private static String simpleName(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  /** Counts one check, if {@code className} is a contract, lies within one, or extends one. */
  private void countContract(String outermost, String className) {
    String[] nesting = className.split("\\$");
    String ancestor = nesting[0].endsWith("Contract") ? nesting[0] : nesting[nesting.length - 1];
    while (ancestor != null && !ancestor.endsWith("Contract")) {
      // Nested classes of the same name exist in many files: the one of this file comes first.
      ancestor = parents.getOrDefault(nesting[0] + "$" + ancestor, parents.get(ancestor));
    }
    var backend = FIRST_WORD.matcher(outermost);
    if (ancestor != null && backend.lookingAt()) {
      checksByBackend
          .computeIfAbsent(backend.group(), any -> new TreeMap<>())
          .merge(ancestor, 1, Integer::sum);
    }
  }

  private boolean print() {
    for (String name : testClasses) {
      if (!reported.contains(name)) {
        complaints.add(name + " did not run");
      }
    }
    if (tests == 0) {
      complaints.add("no test ran");
    }
    System.out.printf("%n%-12s %10s %10s%n", "Backend", "Contracts", "Checks");
    checksByBackend.forEach((backend, contracts) -> System.out.printf(
        "%-12s %10d %10d%n",
        backend,
        contracts.size(),
        contracts.values().stream().mapToInt(Integer::intValue).sum()));
    complaints.forEach(complaint -> System.out.println("WRONG: " + complaint));
    System.out.printf(
        "%nTests run: %d, Failures: %d, Errors: %d, Skipped: %d%n",
        tests, failures, errors, skipped);
    return complaints.isEmpty() && failures + errors + skipped == 0;
  }
}
