package dev.syncguard.rules;

import dev.syncguard.rules.syntax.AllowStatement;
import dev.syncguard.rules.syntax.RulesMethod;
import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.Unknown;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether something is allowed, and by which statements that was decided.
 *
 * @param attempts the statements that apply, in the order of the source, up to the one that allows it
 * @param limit what was exhausted before there was a decision, if anything was; then nothing is allowed
 */
public record Decision(RulesMethod method, List<Attempt> attempts, Optional<String> limit) {
  /** One statement that applies, and what its condition came to. */
  public record Attempt(AllowStatement statement, Outcome outcome) {}

  public Decision {
    attempts = List.copyOf(attempts);
  }

  /** Returns the statement that allows it. */
  public Optional<AllowStatement> grantedBy() {
    return limit.isPresent()
        ? Optional.empty()
        : attempts.stream()
            .filter(attempt -> attempt.outcome().isTrue())
            .map(Attempt::statement)
            .findFirst();
  }

  /** Returns whether any rule allows the request. */
  public boolean allowed() {
    return grantedBy().isPresent();
  }

  /** Returns why it is denied, in the words of the emulator; empty if it is allowed. */
  public String message() {
    if (allowed()) {
      return "";
    }
    String tried = attempts.stream().map(this::reason).collect(Collectors.joining(", "));
    String end = limit.map(what -> what + " for '" + method.word() + "'").orElse("");
    String all = tried.isEmpty() || end.isEmpty() ? tried + end : tried + ", " + end;
    return "\n" + (all.isEmpty() ? "No matching allow statements" : all);
  }

  private String reason(Attempt attempt) {
    String where =
        " for '" + method.word() + "' @ L" + attempt.statement().decisiveRange().line();
    if (attempt.outcome() instanceof Failure failure) {
      return "evaluation error at L" + failure.line() + ":" + failure.column() + where + ", "
          + failure.message() + where;
    } else if (attempt.outcome() instanceof Unknown unknown) {
      return "the query leaves " + unknown.description() + " open" + where;
    }
    return "false" + where;
  }
}
