package dev.syncguard.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** What was asked for on the command line; {@code benchmarks/run --help} explains it. */
record Options(
    Pace pace, boolean quick, List<String> topics, Path results, Path work, Path launcher) {

  /** How many arguments come from the script: where results go, where files may be put, what starts the program. */
  private static final int PLACES = 3;

  static Options parse(List<Topic> topics, String... args) {
    List<String> names = topics.stream().map(Topic::name).toList();
    List<String> chosen = new ArrayList<>();
    boolean quick = false;
    int rounds = 0;
    Iterator<String> rest = Arrays.asList(args).subList(PLACES, args.length).iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--quick" -> quick = true;
        case "--only" -> chosen.add(oneOf(names, value(option, rest)));
        case "--rounds" -> rounds = positive(option, value(option, rest));
        default -> throw new IllegalArgumentException("Unknown option " + option);
      }
    }
    if (chosen.isEmpty()) {
      boolean all = !quick;
      topics.stream()
          .filter(topic -> all || topic.isTriedQuickly())
          .map(Topic::name)
          .forEach(chosen::add);
    }
    Pace pace = quick ? Pace.QUICK : Pace.FULL;
    Path work = Path.of(args[1]);
    return new Options(
        rounds == 0 ? pace : pace.withRounds(rounds),
        quick,
        chosen,
        quick ? work.resolve("quick-results") : Path.of(args[0]),
        work,
        Path.of(args[2]));
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.next();
  }

  private static String oneOf(List<String> topics, String value) {
    if (!topics.contains(value)) {
      throw new IllegalArgumentException(
          "There is no topic " + value + "; choose from " + String.join(", ", topics));
    }
    return value;
  }

  private static int positive(String option, String value) {
    if (!value.matches("[1-9][0-9]{0,5}")) {
      throw new IllegalArgumentException(option + " needs a number from 1 on, but was " + value);
    }
    return Integer.parseInt(value);
  }
}
