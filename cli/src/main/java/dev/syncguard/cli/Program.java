package dev.syncguard.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Puts the commands together and turns whatever happens in one into a line and an exit code. */
final class Program {

  private static final List<String> COMMANDS = List.of(
      "run",
      "acquire",
      "release",
      "extend",
      "is-locked",
      "lookup",
      "list",
      "watch",
      "doctor",
      "torture",
      "console",
      "firestore",
      "reader",
      "rules",
      "completion",
      "version");

  private static final Set<String> USING_STORES = Set.of(
      "run",
      "acquire",
      "release",
      "extend",
      "is-locked",
      "lookup",
      "list",
      "watch",
      "doctor",
      "torture",
      "console");

  private static final Set<String> HELP = Set.of("-h", "--help");

  /** The options that make sense everywhere. */
  private static final Set<String> EVERYWHERE = Set.of("--json", "--help");

  /** Commands below another that use none of its options: one starts no server, the other no device. */
  private static final Set<String> ALONE = Set.of("jar", "demo");

  private Program() {}

  static int run(Surroundings surroundings, String... args) {
    return isBare(args) ? runBare(surroundings, args) : parseAndRun(surroundings, args);
  }

  /** What scripts and prompts ask often is understood without the parser, whose start takes longer than the answer. */
  private static boolean isBare(String... args) {
    return switch (args.length) {
      case 1 -> args[0].equals("version");
      case 2 -> args[0].equals("is-locked") && !args[1].startsWith("-") && isReadable(args);
      default -> false;
    };
  }

  private static int runBare(Surroundings surroundings, String... args) {
    Syncguard top = new Syncguard(surroundings);
    try {
      return args.length == 1 ? VersionCommand.answer(top) : IsLockedCommand.answer(args[1], top);
    } catch (RuntimeException e) {
      return new Failures(surroundings, false).explain(e);
    }
  }

  private static boolean isReadable(String... args) {
    for (String arg : args) {
      if (arg.indexOf('\uFFFD') >= 0) {
        return false;
      }
    }
    return true;
  }

  private static int parseAndRun(Surroundings surroundings, String... args) {
    Failures failures = new Failures(surroundings, List.of(args).contains("--json"));
    if (!isReadable(args)) {
      return failures.usage(
          "An argument cannot be read in this locale, and guessing could name the wrong lock;"
              + " set LC_ALL to a locale that can, such as C.UTF-8");
    }
    String[] words = inOurWords(args);
    CommandLine line = commandLine(surroundings, words);
    Optional<CommandNames.Unknown> unknown = CommandNames.findUnknown(line, words);
    if (unknown.isPresent()) {
      return failures.usage(unknown.get().message());
    }
    return line.setParameterExceptionHandler(failures)
        .setExecutionExceptionHandler(failures)
        .execute(words);
  }

  /** Returns a parser that understands the arguments; without any, one that knows all commands. */
  static CommandLine commandLine(Surroundings surroundings, String... args) {
    CommandLine line = new CommandLine(new Syncguard(surroundings));
    // Describing a command to the parser takes time, so if it is clear which one is meant we leave
    // out the others.
    boolean clear = args.length > 0 && COMMANDS.contains(args[0]) && !args[0].equals("completion");
    for (String name : clear ? List.of(args[0]) : COMMANDS) {
      line.addSubcommand(name, command(name));
    }
    line.getSubcommands().forEach((name, command) -> {
      if (!USING_STORES.contains(name)) {
        without("--store", command.getCommandSpec());
      }
      if (name.equals("completion")) {
        without("--json", command.getCommandSpec());
      }
      command.getSubcommands().forEach((below, subcommand) -> {
        if (ALONE.contains(below)) {
          withoutThoseOfItsParent(subcommand.getCommandSpec());
        }
      });
    });
    // A lock id may also look like several options in one, and a key may begin with @.
    return line.setPosixClusteredShortOptionsAllowed(false)
        .setExpandAtFiles(false)
        .setUsageHelpAutoWidth(true)
        .setUsageHelpLongOptionsMaxWidth(28)
        .setOut(new PrintWriter(surroundings.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8));
  }

  /** All commands inherit the options of the program, because they may also stand before them. */
  private static void without(String option, CommandSpec spec) {
    OptionSpec inherited = spec.findOption(option);
    if (inherited != null) {
      spec.remove(inherited);
    }
    spec.subcommands().values().forEach(below -> without(option, below.getCommandSpec()));
  }

  private static void withoutThoseOfItsParent(CommandSpec spec) {
    for (OptionSpec option : List.copyOf(spec.options())) {
      if (option.inherited() && !EVERYWHERE.contains(option.longestName())) {
        spec.remove(option);
      }
    }
  }

  private static Object command(String name) {
    return switch (name) {
      case "run" -> new RunCommand();
      case "acquire" -> new AcquireCommand();
      case "release" -> withLockId(new ReleaseCommand());
      case "extend" -> withLockId(new ExtendCommand());
      case "is-locked" -> new IsLockedCommand();
      case "lookup" -> new LookupCommand();
      case "list" -> new ListCommand();
      case "watch" -> new WatchCommand();
      case "doctor" -> new DoctorCommand();
      case "torture" -> new TortureCommand();
      case "console" -> new ConsoleCommand();
      case "firestore" -> new FirestoreCommand();
      case "reader" -> new ReaderCommand();
      case "rules" -> new RulesCommand();
      case "completion" -> new CompletionCommand();
      case "version" -> new VersionCommand();
      default -> throw new IllegalArgumentException("There is no command " + name);
    };
  }

  /** Returns a command whose argument may look like an option. */
  private static CommandLine withLockId(Object command) {
    return new CommandLine(command).setUnmatchedOptionsArePositionalParams(true);
  }

  /**
   * Replaces what people type out of habit: {@code help COMMAND}, {@code --version}, and -h, which is not an option
   * like others, because a lock id may begin with it.
   */
  private static String[] inOurWords(String... args) {
    if (args.length > 0 && args[0].equals("help")) {
      return Stream.concat(
              Arrays.stream(args).skip(1).filter(word -> !HELP.contains(word)), Stream.of("--help"))
          .toArray(String[]::new);
    }
    if (args.length == 1 && args[0].equals("--version")) {
      return new String[] {"version"};
    }
    String[] replaced = args.clone();
    for (int i = 0; i < Math.min(2, args.length); i++) {
      replaced[i] = args[i].equals("-h") ? "--help" : args[i];
    }
    return replaced;
  }
}
