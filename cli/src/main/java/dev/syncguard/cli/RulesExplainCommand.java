package dev.syncguard.cli;

import dev.syncguard.rules.Compilation;
import dev.syncguard.rules.Decision;
import dev.syncguard.rules.Rules;
import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.report.RulesExplanation;
import dev.syncguard.rules.report.RulesExplanation.Step;
import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.syntax.SourceRange;
import dev.syncguard.rules.value.Display;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Shows how one request is decided. */
@Command(
    name = "explain",
    description = {
      "Shows which condition allows or denies one request, and the value of every part of it.",
      "Exits with 0 if it is allowed, with 1 if it is denied."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard rules explain firestore.rules tests.yaml 'a stranger reads'",
      "  syncguard rules explain firestore.rules request.yaml"
    })
final class RulesExplainCommand implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private RulesCommand rules;

  @Spec
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE", description = "The rules.")
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Path file;

  @Parameters(
      index = "1",
      paramLabel = "TESTS",
      description = "A file with the request, as for rules test.")
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Path tests;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "CASE",
      description = "The name or number of the case, if there are several.")
  private @Nullable String name;

  @Override
  public Integer call() {
    RulesTestCase test = choose(RulesTestCommand.read(spec, tests));
    Compilation compilation = rules.compile(spec, file);
    if (compilation.rules().isEmpty()) {
      rules.output().answer(new JsonLine().add("ok", false), "The rules do not compile");
      return ExitCode.NO;
    }
    Rules compiled = compilation.rules().get();
    RulesExplanation explanation =
        RulesExplanation.of(compiled, test.request(), LookupBudget.single(test.lookup()));
    Decision decision = explanation.decision();
    List<String> lines = new ArrayList<>();
    List<JsonLine> steps = new ArrayList<>();
    explanation.steps().forEach(step -> add(step, 0, compiled.source().text(), lines, steps));
    String verdict = decision
        .grantedBy()
        .map(by -> "ALLOWED by line " + by.decisiveRange().line())
        .orElse("DENIED: " + decision.message().strip());
    rules
        .output()
        .answer(
            new JsonLine()
                .add("ok", true)
                .add("allowed", decision.allowed())
                .add("message", decision.message().strip())
                .add("steps", steps),
            test.name() + ": " + verdict + "\n" + String.join("\n", lines));
    return decision.allowed() ? ExitCode.DONE : ExitCode.NO;
  }

  private RulesTestCase choose(List<RulesTestCase> cases) {
    if (name == null) {
      if (cases.size() > 1) {
        throw RulesCommand.wrong(
            spec, "The file has " + cases.size() + " cases; say which one, by name or number");
      }
      return cases.get(0);
    }
    String wanted = name;
    for (int i = 0; i < cases.size(); i++) {
      if (cases.get(i).name().equals(wanted) || Integer.toString(i + 1).equals(wanted)) {
        return cases.get(i);
      }
    }
    throw RulesCommand.wrong(spec, "The file has no such case");
  }

  private static void add(
      Step step, int level, String source, List<String> lines, List<JsonLine> json) {
    if (step.expression() instanceof Expression.Literal) {
      return;
    }
    SourceRange range = step.expression().range();
    String text = SourceText.shortened(range.textIn(source));
    String value = Display.of(step.outcome());
    lines.add("L" + range.line() + ":" + range.column() + "  " + "  ".repeat(level) + text + "  = "
        + value);
    json.add(new JsonLine()
        .add("line", range.line())
        .add("column", range.column())
        .add("level", level)
        .add("expression", text)
        .add("value", value));
    step.steps().forEach(inner -> add(inner, level + 1, source, lines, json));
  }
}
