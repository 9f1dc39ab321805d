package dev.syncguard.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

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
      "firestore",
      "reader",
      "rules",
      "completion",
      "version");

  private Program() {}

  static int run(Surroundings surroundings, String... args) {
    Failures failures = new Failures(surroundings, List.of(args).contains("--json"));
    if (Arrays.stream(args).anyMatch(arg -> arg.indexOf('\uFFFD') >= 0)) {
      return failures.usage(
          "An argument cannot be read in this locale, and guessing could name the wrong lock;"
              + " set LC_ALL to a locale that can, such as C.UTF-8");
    }
    return commandLine(surroundings, args)
        .setParameterExceptionHandler(failures)
        .setExecutionExceptionHandler(failures)
        .execute(withLongHelp(args));
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
    // A lock id may also look like several options in one, and a key may begin with @.
    return line.setPosixClusteredShortOptionsAllowed(false)
        .setExpandAtFiles(false)
        .setUsageHelpAutoWidth(true)
        .setUsageHelpLongOptionsMaxWidth(28)
        .setOut(new PrintWriter(surroundings.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8));
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

  /** Replaces -h. It is not an option like others, because a lock id may begin with it. */
  private static String[] withLongHelp(String... args) {
    String[] replaced = args.clone();
    for (int i = 0; i < Math.min(2, args.length); i++) {
      replaced[i] = args[i].equals("-h") ? "--help" : args[i];
    }
    return replaced;
  }
}
