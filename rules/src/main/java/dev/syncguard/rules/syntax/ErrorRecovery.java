package dev.syncguard.rules.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Goes on behind what cannot be read, so that several errors are told at once. The braces of the broken statement are
 * believed, to find where the next one begins; errors that may only follow from an earlier one are kept back. Used by one
 * thread.
 */
final class ErrorRecovery {
  private static final int MOST_PROBLEMS = 20;

  private final Tokens tokens;
  private final List<Problem> problems = new ArrayList<>();
  private boolean lost;

  ErrorRecovery(Tokens tokens) {
    this.tokens = tokens;
  }

  List<Problem> problems() {
    return List.copyOf(problems);
  }

  /** Reads something; if that fails, notes why and moves to the next of these words that stands outside of it. */
  <T> Optional<T> attempt(Set<String> next, Supplier<T> reading) {
    int start = tokens.peek().start();
    try {
      lost = false;
      return Optional.of(reading.get());
    } catch (SyntaxError e) {
      note(e);
      moveOn(start, e.problemStart(), next);
      return Optional.empty();
    }
  }

  /** Notes that the next token begins nothing, and moves to the next of these words. */
  void skip(SyntaxError error, Set<String> next) {
    if (!lost) {
      note(error);
    }
    moveOn(tokens.peek().start(), tokens.peek().end(), next);
  }

  private void note(SyntaxError error) {
    boolean atTheEnd = error.problemStart() >= tokens.lexer().source().length();
    if (problems.isEmpty() || (!atTheEnd && problems.size() < MOST_PROBLEMS)) {
      problems.add(error.problem());
    }
  }

  private void moveOn(int start, int from, Set<String> next) {
    lost = true;
    tokens.moveTo(start);
    int depth = 0;
    boolean first = true;
    while (tokens.peek().kind() != Token.Kind.END) {
      Token token = tokens.peek();
      if (!first && depth == 0 && token.start() >= from && isOneOf(next, token)) {
        return;
      }
      if (token.is("{")) {
        depth++;
      } else if (token.is("}") && depth > 0) {
        depth--;
      }
      tokens.take();
      first = false;
    }
  }

  private static boolean isOneOf(Set<String> words, Token token) {
    return words.stream().anyMatch(token::is);
  }
}
