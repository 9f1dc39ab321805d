import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Keeps the records of {@code .ci/mutate}: how many mutants were noticed, which survived and why, which test saw which. */
final class Mutations {

  private static final Path RESULTS = Path.of("docs/mutation/results.tsv");
  private static final Path SURVIVORS = Path.of("docs/mutation/survivors.tsv");
  private static final Path SEEN_RED = Path.of("docs/mutation/seen-red.tsv");
  private static final String UNEXPLAINED = "not explained yet";
  private static final double ENOUGH = 0.9;

  private record Mutant(String type, String method, String change, String status, String test) {

    boolean noticed() {
      return status.equals("KILLED") || status.equals("TIMED_OUT") || status.equals("MEMORY_ERROR");
    }

    String name() {
      return type + (method.isEmpty() ? "" : "." + method) + "\t" + change;
    }
  }

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "tell" -> tell(arguments[1], arguments[2], read(Path.of(arguments[3])));
      case "smoke" -> smoke(read(Path.of(arguments[1])));
      case "done" -> System.exit(isDone(arguments[1], arguments[2]) ? 0 : 1);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static List<Mutant> read(Path report) throws Exception {
    if (report.toString().endsWith(".tsv")) {
      return Files.readAllLines(report).stream()
          .map(line -> line.split("\t", -1))
          .map(columns -> new Mutant(columns[2], "", columns[3], columns[0], columns[1]))
          .toList();
    }
    NodeList found = DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(report.toFile())
        .getElementsByTagName("mutation");
    List<Mutant> mutants = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      Element mutation = (Element) found.item(i);
      mutants.add(new Mutant(
          text(mutation, "mutatedClass"),
          text(mutation, "mutatedMethod").replaceFirst("^lambda\\$(.*)\\$\\d+$", "$1"),
          text(mutation, "description").replace('\t', ' '),
          mutation.getAttribute("status"),
          testName(text(mutation, "killingTest"))));
    }
    return mutants;
  }

  private static String text(Element mutation, String name) {
    return mutation.getElementsByTagName(name).item(0).getTextContent();
  }

  /** Returns {@code Type.method} of a test that PIT names by the path of its engine. */
  static String testName(String path) {
    Matcher type = Pattern.compile("\\[(?:class|nested-class):([\\w.$]+)]").matcher(path);
    String last = "";
    while (type.find()) {
      last = type.group(1).replaceFirst(".*[.$]", "");
    }
    Matcher method = Pattern.compile("\\[(?:method|test-template):(\\w+)").matcher(path);
    return method.find() ? last + "." + method.group(1) : "";
  }

  private static void smoke(List<Mutant> mutants) {
    long noticed = mutants.stream().filter(Mutant::noticed).count();
    System.out.println("Mutants noticed: " + noticed + " of " + mutants.size());
    mutants.stream()
        .filter(mutant -> !mutant.noticed())
        .forEach(mutant -> System.out.println("  survived: " + mutant.name().replace('\t', ' ')));
    if (mutants.isEmpty() || noticed < ENOUGH * mutants.size()) {
      System.exit(1);
    }
  }

  private static boolean isDone(String group, String commit) throws IOException {
    return lines(RESULTS).stream()
        .anyMatch(line -> line.startsWith(group + "\t") && line.contains("\t" + commit + "\t"));
  }

  private static void tell(String group, String commit, List<Mutant> mutants) throws IOException {
    long noticed = mutants.stream().filter(Mutant::noticed).count();
    long late = mutants.stream().filter(m -> m.status.equals("TIMED_OUT")).count();
    long unreached =
        mutants.stream().filter(m -> m.status.equals("NO_COVERAGE")).count();
    List<String> results = others(RESULTS, group);
    results.add(String.join(
        "\t",
        group,
        LocalDate.now(ZoneOffset.UTC).toString(),
        commit,
        Integer.toString(mutants.size()),
        Long.toString(noticed),
        Long.toString(late),
        Long.toString(unreached),
        percent(noticed, mutants.size())));
    write(
        RESULTS,
        "group\tdate\tcommit\tmutants\tnoticed\tof these by timeout\tno test reaches\tpercent",
        results);
    tellSurvivors(group, mutants);
    tellTests(mutants);
    System.out.println(group + ": " + noticed + " of " + mutants.size() + " noticed, "
        + percent(noticed, mutants.size()));
  }

  private static String percent(long part, long whole) {
    return whole == 0 ? "-" : 100 * part / whole + " %";
  }

  private static void tellSurvivors(String group, List<Mutant> mutants) throws IOException {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (String line : lines(SURVIVORS)) {
      String[] columns = line.split("\t", -1);
      if (columns[0].equals(group)) {
        reasons.put(columns[1] + "\t" + columns[2], columns[4]);
      }
    }
    Map<String, Integer> counts = new TreeMap<>();
    mutants.stream()
        .filter(m -> !m.noticed())
        .forEach(m -> counts.merge(m.name(), 1, Integer::sum));
    List<String> survivors = others(SURVIVORS, group);
    counts.forEach((name, count) -> survivors.add(
        group + "\t" + name + "\t" + count + "\t" + reasons.getOrDefault(name, UNEXPLAINED)));
    write(SURVIVORS, "group\twhere\tchange\ttimes\treason", survivors);
  }

  /** A test keeps the first mutant that it was seen to notice. */
  private static void tellTests(List<Mutant> mutants) throws IOException {
    Map<String, String> seen = new TreeMap<>();
    for (String line : lines(SEEN_RED)) {
      seen.put(line.substring(0, line.indexOf('\t')), line.substring(line.indexOf('\t') + 1));
    }
    for (Mutant mutant : mutants) {
      if (!mutant.test.isEmpty()) {
        seen.putIfAbsent(mutant.test, "mutant\t" + mutant.name().replace('\t', ' '));
      }
    }
    List<String> lines = new ArrayList<>();
    seen.forEach((test, what) -> lines.add(test + "\t" + what));
    write(SEEN_RED, "test\tby\twhat turned it red", lines);
  }

  private static List<String> others(Path file, String group) throws IOException {
    List<String> others = new ArrayList<>(lines(file));
    others.removeIf(line -> line.startsWith(group + "\t"));
    return others;
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file).stream().skip(1).toList() : List.of();
  }

  private static void write(Path file, String head, List<String> lines) throws IOException {
    List<String> all = new ArrayList<>(lines.stream().sorted().toList());
    all.add(0, head);
    Files.createDirectories(file.getParent());
    Files.write(file, all);
  }
}
