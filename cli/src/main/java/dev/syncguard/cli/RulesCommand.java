package dev.syncguard.cli;

import dev.syncguard.rules.Compilation;
import dev.syncguard.rules.RulesFile;
import dev.syncguard.rules.report.ProblemText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** What can be done with security rules without a server. */
@Command(
    name = "rules",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {RulesCheckCommand.class, RulesTestCommand.class, RulesExplainCommand.class},
    description = "Checks, tests and explains the security rules of a Firestore.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard rules check firestore.rules",
      "  syncguard rules test firestore.rules tests.yaml",
      "  syncguard rules explain firestore.rules tests.yaml 'a stranger reads'"
    })
final class RulesCommand implements Runnable {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Syncguard top;

  @Spec
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private CommandSpec spec;

  @Override
  public void run() {
    throw wrong(spec, "Say which command to run: check, test or explain");
  }

  Output output() {
    return top.output();
  }

  /** Compiles a file, and tells about every problem. */
  Compilation compile(CommandSpec command, Path file) {
    String source = read(command, file);
    Compilation compilation = RulesFile.compile(source);
    ProblemText text = new ProblemText(file.toString(), source);
    compilation.problems().forEach(problem -> output().err().println(text.of(problem)));
    return compilation;
  }

  static String read(CommandSpec command, Path file) {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw wrong(command, "The file " + file + " is not in UTF-8");
    } catch (IOException e) {
      throw wrong(command, "The file " + file + " cannot be read");
    }
  }

  static WrongUsage wrong(CommandSpec command, String message) {
    return new WrongUsage(command, ExitCode.WRONG_USAGE, message);
  }
}
