import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Mutants of scripts and SQL functions, which no compiler turns into classes that PIT could change.
 *
 * <p>{@code all DONE CLASSES FOLDER TEST...} changes each file of a folder of resources, one place at a time, puts the changed file in front of
 * the class path, and runs the tests in a process of its own until the first of them fails. What became of a mutant is a line in the file
 * DONE, in the words of PIT's report; a second run goes on behind the last line. {@code one TEST...} is such a process.
 */
final class TextMutants {

  private static final long LONGEST_SECONDS = 900;

  /** What may be wrong in a line, and what is put in its place. */
  private static final Map<Pattern, String> CHANGES = new LinkedHashMap<>();

  static {
    change(" == ", " ~= ");
    change(" ~= ", " == ");
    change(" >= ", " < ");
    change(" <= ", " > ");
    change(" < ", " <= ");
    change(" > ", " >= ");
    change(" <> ", " = ");
    change("(?<=(?:IF|AND|OR|WHERE|WHEN) [\\w.@]{1,30}) = ", " <> ");
    change(" \\+ ", " - ");
    change(" - ", " + ");
    change("\\bnot ", "");
    change("\\bNOT (?!NULL|EXISTS|MATERIALIZED)", "");
    change(" and ", " or ");
    change(" or ", " and ");
    change(" AND ", " OR ");
    change("\\btrue\\b", "false");
    change("\\bfalse\\b", "true");
    change("IS NULL", "IS NOT NULL");
    change("IS NOT NULL", "IS NULL");
    // A statement that is left out.
    change("^\\s*redis\\.p?call\\(.*\\)$", "");
    change("^\\s*(?:PERFORM|DELETE FROM|UPDATE) .*;$", "");
  }

  private static void change(String wrong, String instead) {
    CHANGES.put(Pattern.compile(wrong), instead);
  }

  private record Mutant(Path file, int line, String text, String name) {}

  public static void main(String[] arguments) throws Exception {
    List<String> words = List.of(arguments);
    if (words.get(0).equals("one")) {
      System.exit(runTests(words.subList(1, words.size())));
    }
    Path done = Path.of(words.get(1));
    Path classes = Path.of(words.get(2)).toAbsolutePath();
    List<String> tests = words.subList(4, words.size());
    Files.createDirectories(done.toAbsolutePath().getParent());
    List<String> told = Files.exists(done) ? Files.readAllLines(done) : List.of();
    List<Mutant> mutants = mutants(classes.resolve(words.get(3)));
    Mutant first = mutants.get(0);
    Mutant none = new Mutant(first.file, 0, Files.readString(first.file), "nothing is changed");
    if (told.isEmpty() && !outcome(none, classes, tests).startsWith("SURVIVED")) {
      throw new IllegalStateException("The tests fail although nothing is changed");
    }
    for (Mutant mutant : mutants.subList(Math.min(told.size(), mutants.size()), mutants.size())) {
      String line = outcome(mutant, classes, tests) + "\t" + mutant.name;
      Files.writeString(
          done,
          line + "\n",
          java.nio.file.StandardOpenOption.CREATE,
          java.nio.file.StandardOpenOption.APPEND);
      System.out.println(line);
    }
    System.out.println("All " + mutants.size() + " mutants were tried");
  }

  private static List<Mutant> mutants(Path folder) throws IOException {
    List<Mutant> mutants = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files
          .filter(path -> path.toString().matches(".*\\.(lua|sql)"))
          .sorted()
          .toList()) {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
          if (!lines.get(i).strip().startsWith("--")) {
            mutants.addAll(mutants(file, lines, i));
          }
        }
      }
    }
    return mutants;
  }

  private static List<Mutant> mutants(Path file, List<String> lines, int at) {
    List<Mutant> mutants = new ArrayList<>();
    String line = lines.get(at);
    CHANGES.forEach((wrong, instead) -> {
      Matcher matcher = wrong.matcher(line);
      while (matcher.find()) {
        List<String> changed = new ArrayList<>(lines);
        changed.set(
            at, line.substring(0, matcher.start()) + instead + line.substring(matcher.end()));
        mutants.add(new Mutant(
            file,
            at + 1,
            String.join("\n", changed) + "\n",
            file.getFileName() + ":" + (at + 1) + "\t" + matcher.group().strip() + " -> "
                + instead.strip()));
      }
    });
    return mutants;
  }

  /** Returns the status of a mutant and the test that noticed it. */
  private static String outcome(Mutant mutant, Path classes, List<String> tests) throws Exception {
    Path overlay = Files.createTempDirectory("syncguard-mutant");
    try {
      Path changed = overlay.resolve(classes.relativize(mutant.file));
      Files.createDirectories(changed.getParent());
      Files.writeString(changed, mutant.text);
      List<String> command = new ArrayList<>(List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:TieredStopAtLevel=1",
          "-Xshare:auto",
          "-cp",
          overlay + File.pathSeparator + System.getProperty("java.class.path"),
          Path.of(".ci/TextMutants.java").toAbsolutePath().toString(),
          "one"));
      command.addAll(tests);
      Path output = overlay.resolve("output");
      Process process = new ProcessBuilder(command)
          // Where Maven runs the tests of a module: some of them read its sources.
          .directory(classes.getParent().getParent().toFile())
          .redirectErrorStream(true)
          .redirectOutput(output.toFile())
          .start();
      if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        return "TIMED_OUT\t";
      }
      String noticed = Files.readAllLines(output).stream()
          .filter(line -> line.startsWith("RED "))
          .map(line -> line.substring(4))
          .findFirst()
          .orElse("");
      if (process.exitValue() != 0 && noticed.isEmpty()) {
        throw new IllegalStateException("The tests did not run: " + Files.readString(output));
      }
      return (noticed.isEmpty() ? "SURVIVED" : "KILLED") + "\t" + noticed;
    } finally {
      try (Stream<Path> files = Files.walk(overlay)) {
        for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Runs tests until the first one fails, so that what they started is ended as always. */
  private static int runTests(List<String> tests) {
    CancellationToken enough = CancellationToken.create();
    boolean[] red = {false};
    TestExecutionListener listener = new TestExecutionListener() {
      @Override
      public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.FAILED && !red[0]) {
          red[0] = true;
          System.out.println("RED "
              + test.getSource()
                  .filter(MethodSource.class::isInstance)
                  .map(source -> ((MethodSource) source).getJavaMethod())
                  .map(
                      method -> method.getDeclaringClass().getSimpleName() + "." + method.getName())
                  .orElse(test.getDisplayName()));
          enough.cancel();
        }
      }
    };
    LauncherFactory.create()
        .execute(LauncherExecutionRequestBuilder.request(LauncherDiscoveryRequestBuilder.request()
                .selectors(tests.stream().map(DiscoverySelectors::selectClass).toList())
                .build())
            .listeners(listener)
            .cancellationToken(enough)
            .build());
    return red[0] ? 1 : 0;
  }
}
