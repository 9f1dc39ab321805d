package dev.syncguard.cli;

import dev.syncguard.rules.Compilation;
import dev.syncguard.rules.Decision;
import dev.syncguard.rules.Rules;
import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.report.Coverage;
import dev.syncguard.rules.report.CoverageHtml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Runs a file of cases against rules. */
@Command(
    name = "test",
    sortOptions = false,
    description = {
      "Decides every case of a file and compares it with what is expected; exits with 1 if one differs.",
      "Then shows what every expression of the rules came to."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard rules test firestore.rules tests.yaml",
      "  syncguard rules test --html coverage.html firestore.rules tests.yaml"
    })
final class RulesTestCommand implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private RulesCommand rules;

  @Spec
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE", description = "The rules.")
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Path file;

  @Parameters(index = "1", paramLabel = "TESTS", description = "The cases, in YAML or JSON.")
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Path tests;

  @Option(names = "--html", paramLabel = "PAGE", description = "Also write the coverage as a page.")
  private @Nullable Path html;

  @Override
  public Integer call() {
    List<RulesTestCase> cases = read(spec, tests);
    Compilation compilation = rules.compile(spec, file);
    if (compilation.rules().isEmpty()) {
      rules.output().answer(new JsonLine().add("ok", false), "The rules do not compile");
      return ExitCode.NO;
    }
    Rules compiled = compilation.rules().get();
    Coverage coverage = new Coverage(compiled.source());
    List<JsonLine> results = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    int failed = 0;
    for (RulesTestCase test : cases) {
      Decision decision =
          compiled.decide(test.request(), LookupBudget.single(test.lookup()), coverage);
      boolean passed = decision.allowed() == test.allowed();
      failed += passed ? 0 : 1;
      text.append(line(test, decision, passed)).append('\n');
      results.add(new JsonLine()
          .add("name", test.name())
          .add("ok", passed)
          .add("allowed", decision.allowed())
          .add("message", decision.message().strip()));
    }
    CoverageText covered = new CoverageText(coverage);
    text.append('\n').append(covered.text()).append('\n');
    text.append(cases.size() - failed).append(" of ").append(cases.size()).append(" cases passed");
    writePage(coverage);
    rules
        .output()
        .answer(
            new JsonLine()
                .add("ok", failed == 0)
                .add("passed", cases.size() - failed)
                .add("failed", failed)
                .add("cases", results)
                .add("coverage", covered.json()),
            text.toString());
    return failed == 0 ? ExitCode.DONE : ExitCode.NO;
  }

  static List<RulesTestCase> read(CommandSpec command, Path tests) {
    try {
      return RulesTestFile.parse(RulesCommand.read(command, tests));
    } catch (RulesTestFile.Unreadable e) {
      throw RulesCommand.wrong(command, tests + ": " + e.getMessage());
    }
  }

  private static String line(RulesTestCase test, Decision decision, boolean passed) {
    String verdict = decision.allowed() ? "allowed" : "denied";
    return passed
        ? "passed  " + test.name() + " (" + verdict + ")"
        : "FAILED  " + test.name() + ": " + verdict + ", but expected otherwise"
            + (decision.allowed() ? "" : ": " + decision.message().strip());
  }

  private void writePage(Coverage coverage) {
    if (html == null) {
      return;
    }
    try {
      Files.writeString(html, CoverageHtml.of(coverage));
    } catch (IOException e) {
      throw RulesCommand.wrong(spec, "The page of --html cannot be written");
    }
  }
}
