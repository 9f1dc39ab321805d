package dev.syncguard.cli;

import dev.syncguard.rules.Compilation;
import dev.syncguard.rules.syntax.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Compiles rules and says what is wrong with them. */
@Command(
    name = "check",
    description = "Compiles rules; exits with 1 if there are errors.",
    footerHeading = "%nExamples:%n",
    footer = "  syncguard rules check --strict firestore.rules")
final class RulesCheckCommand implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private RulesCommand rules;

  @Spec
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The rules, usually firestore.rules.")
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Path file;

  @Option(names = "--strict", description = "Take warnings for errors.")
  private boolean strict;

  @Override
  public Integer call() {
    Compilation compilation = rules.compile(spec, file);
    long errors = compilation.errors().size();
    long warnings = compilation.problems().size() - errors;
    boolean good = errors == 0 && (warnings == 0 || !strict);
    List<JsonLine> problems =
        compilation.problems().stream().map(RulesCheckCommand::json).toList();
    rules
        .output()
        .answer(
            new JsonLine().add("ok", good).add("problems", problems),
            file + ": " + counted(errors, "error") + ", " + counted(warnings, "warning"));
    return good ? ExitCode.DONE : ExitCode.NO;
  }

  private static JsonLine json(Problem problem) {
    return new JsonLine()
        .add("severity", problem.severity().name().toLowerCase(Locale.ROOT))
        .add("line", problem.line())
        .add("column", problem.column())
        .add("message", problem.message());
  }

  private static String counted(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
