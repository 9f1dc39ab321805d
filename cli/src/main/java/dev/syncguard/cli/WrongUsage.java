package dev.syncguard.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Says that the arguments do not make sense together. Its message names neither keys nor lock ids. */
final class WrongUsage extends ParameterException {

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  WrongUsage(CommandSpec command, int exitCode, String message) {
    super(
        command.commandLine() == null ? new CommandLine(command) : command.commandLine(), message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
