package dev.syncguard.cli;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.StoreCheck;
import dev.syncguard.lock.spi.StoreCheck.Finding;
import dev.syncguard.lock.spi.StoreCheck.Severity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** Examines the store. */
@Command(
    name = "doctor",
    description =
        "Examines the store: can it be reached, is it set up, is it durable, are fences left?",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard doctor",
      "  syncguard doctor --store sqlite:/var/lib/locks.db || alert",
      "",
      "Exit codes: 0 all is well, 1 there are warnings, 2 the store is not reliable."
    })
final class DoctorCommand implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Syncguard top;

  @Override
  public Integer call() {
    List<Finding> findings = examine();
    Severity worst =
        findings.stream().map(Finding::severity).max(Severity::compareTo).orElse(Severity.GOOD);
    JsonLine json = new JsonLine()
        .add("ok", worst == Severity.GOOD)
        .add(
            "findings",
            findings.stream()
                .map(finding -> new JsonLine()
                    .add("severity", finding.severity().name().toLowerCase(Locale.ROOT))
                    .add("subject", finding.subject())
                    .add("message", finding.message()))
                .toList());
    top.output()
        .answer(
            json, String.join("\n", findings.stream().map(DoctorCommand::line).toList()));
    return switch (worst) {
      case GOOD -> 0;
      case WARNING -> 1;
      case FAILURE -> 2;
    };
  }

  private List<Finding> examine() {
    try (LockBackend backend = top.open(Stores.Purpose.LOOK)) {
      Optional<StoreCheck> check = backend.storeCheck();
      return check.isPresent()
          ? check.get().examine(Cancellation.none())
          : List.of(new Finding(
              Severity.WARNING,
              "examination",
              "This store answers, but cannot be examined further"));
    } catch (LockException e) {
      if (e.code() == LockException.Code.INVALID_ARGUMENT) {
        throw e;
      }
      return List.of(
          new Finding(Severity.FAILURE, "reachable", e.code().specName() + ": " + e.getMessage()));
    }
  }

  private static String line(Finding finding) {
    String mark = switch (finding.severity()) {
      case GOOD -> "ok       ";
      case WARNING -> "WARNING  ";
      case FAILURE -> "FAILURE  ";
    };
    return mark + finding.subject() + ": " + finding.message();
  }
}
