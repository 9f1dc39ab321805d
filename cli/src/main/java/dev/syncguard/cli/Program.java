package dev.syncguard.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/** Puts the commands together and turns whatever happens in one into a line and an exit code. */
final class Program {

  private Program() {}

  static int run(Surroundings surroundings, String... args) {
    Failures failures = new Failures(surroundings, List.of(args).contains("--json"));
    if (Arrays.stream(args).anyMatch(arg -> arg.indexOf('\uFFFD') >= 0)) {
      return failures.usage(
          "An argument cannot be read in this locale, and guessing could name the wrong lock;"
              + " set LC_ALL to a locale that can, such as C.UTF-8");
    }
    return commandLine(surroundings)
        .setParameterExceptionHandler(failures)
        .setExecutionExceptionHandler(failures)
        .execute(withLongHelp(args));
  }

  /** Replaces -h. It is not an option like others, because a lock id may begin with it. */
  private static String[] withLongHelp(String... args) {
    String[] replaced = args.clone();
    for (int i = 0; i < Math.min(2, args.length); i++) {
      replaced[i] = args[i].equals("-h") ? "--help" : args[i];
    }
    return replaced;
  }

  static CommandLine commandLine(Surroundings surroundings) {
    Syncguard top = new Syncguard(surroundings);
    CommandLine line = new CommandLine(top);
    for (Object command : List.of(
        new RunCommand(),
        new AcquireCommand(),
        withLockId(new ReleaseCommand()),
        withLockId(new ExtendCommand()),
        new IsLockedCommand(),
        new LookupCommand(),
        new ListCommand(),
        new WatchCommand(),
        new DoctorCommand(),
        new CompletionCommand(),
        new VersionCommand())) {
      line.addSubcommand(command);
    }
    // A lock id may also look like several options in one, and a key may begin with @.
    return line.setPosixClusteredShortOptionsAllowed(false)
        .setExpandAtFiles(false)
        .setUsageHelpAutoWidth(true)
        .setUsageHelpLongOptionsMaxWidth(28)
        .setOut(new PrintWriter(surroundings.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8));
  }

  /** Returns a command whose argument may look like an option. */
  private static CommandLine withLockId(Object command) {
    return new CommandLine(command).setUnmatchedOptionsArePositionalParams(true);
  }
}
