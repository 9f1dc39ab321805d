package dev.syncguard.cli;

import dev.syncguard.lock.LockException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Turns every failure into one line that says what to do, and an exit code.
 *
 * <p>What the parser says is never passed on, because it repeats arguments, and those may be keys and lock ids.
 */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {

  private static final String INVALID_ARGUMENT = LockException.Code.INVALID_ARGUMENT.specName();

  private final Surroundings surroundings;
  private final Output output;

  Failures(Surroundings surroundings, boolean json) {
    this.surroundings = surroundings;
    this.output = new Output(surroundings.out(), surroundings.err(), json);
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    traceWithoutMessages(e);
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    int exitCode = e instanceof WrongUsage wrong ? wrong.exitCode() : ExitCode.WRONG_USAGE;
    return fail(exitCode, INVALID_ARGUMENT, explain(e) + "; see " + command + " --help");
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine commandLine, ParseResult parsed) {
    if (e instanceof ParameterException wrong) {
      return handleParseException(wrong, new String[0]);
    }
    return explain(e);
  }

  /** Explains what went wrong in a command whose arguments were right. */
  int explain(Exception e) {
    trace(e);
    if (e instanceof LockException failed) {
      return fail(
          ExitCode.of(failed.code()),
          failed.code().specName(),
          String.valueOf(failed.getMessage()));
    }
    return fail(
        ExitCode.INTERNAL,
        LockException.Code.INTERNAL.specName(),
        "Unexpected " + e.getClass().getSimpleName()
            + "; run again with SYNCGUARD_DEBUG=true and report what it prints");
  }

  int usage(String message) {
    return fail(ExitCode.WRONG_USAGE, INVALID_ARGUMENT, message);
  }

  private int fail(int exitCode, String code, String message) {
    output.problem(message);
    output.answer(new JsonLine().add("ok", false).add("code", code).add("message", message));
    return exitCode;
  }

  private static String explain(ParameterException e) {
    if (e instanceof WrongUsage wrong) {
      return String.valueOf(wrong.getMessage());
    }
    if (e instanceof UnmatchedArgumentException unmatched) {
      return explain(unmatched);
    }
    if (e instanceof OverwrittenOptionException) {
      return "An option is given twice";
    }
    String name = e.getArgSpec() == null
        ? "An argument"
        : e.getArgSpec() instanceof OptionSpec option
            ? option.longestName()
            : e.getArgSpec().paramLabel();
    if (e.getCause() instanceof TypeConversionException bad) {
      // Only our own converter keeps the value to itself.
      boolean ours = e.getArgSpec() != null && e.getArgSpec().type() == Duration.class;
      return name + " " + (ours ? bad.getMessage() : "is not a number");
    }
    if (e instanceof CommandLine.MissingParameterException missing) {
      List<String> names = missing.getMissing().stream()
          .map(spec -> spec instanceof OptionSpec option ? option.longestName() : spec.paramLabel())
          .toList();
      return names.isEmpty()
          ? "An argument is missing"
          : String.join(" and ", names) + " is missing";
    }
    return name + " does not fit the other arguments or has a value of the wrong kind";
  }

  private static String explain(UnmatchedArgumentException e) {
    boolean isRun = e.getCommandLine().getCommandName().equals("run");
    if (e.isUnknownOption()) {
      String option = e.getUnmatched().get(0).split("=", 2)[0];
      return "There is no option " + (option.startsWith("--") ? option : "of that name")
          + (isRun ? "; write -- before the command to run" : "");
    }
    return "There are too many arguments";
  }

  /** Prints where the parser failed, but not what it says, because that repeats arguments. */
  private void traceWithoutMessages(ParameterException e) {
    if (surroundings.isDebugging()) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        surroundings.err().println(cause.getClass().getName());
        for (StackTraceElement frame : cause.getStackTrace()) {
          surroundings.err().println("\tat " + frame);
        }
      }
    }
  }

  private void trace(Exception e) {
    if (surroundings.isDebugging()) {
      e.printStackTrace(surroundings.err());
    }
  }
}
