package dev.syncguard.rules.syntax;

import dev.syncguard.rules.syntax.Token.Kind;
import org.jspecify.annotations.Nullable;

/** A place in a source that only moves on, and the words to say what must stand there. Not thread-safe. */
final class Tokens {
  private final Lexer lexer;
  private Token next;
  private @Nullable SyntaxError broken;
  private int consumed;
  private int expressions;

  Tokens(Lexer lexer) {
    this.lexer = lexer;
    this.next = tokenAt(0);
  }

  Token peek() {
    return next;
  }

  Token take() {
    Token taken = next;
    moveTo(taken.end());
    return taken;
  }

  /** Continues at an offset, having read the characters before it without tokens. */
  void moveTo(int offset) {
    consumed = offset;
    next = tokenAt(offset);
  }

  private Token tokenAt(int offset) {
    try {
      return lexer.tokenAt(offset);
    } catch (SyntaxError e) {
      broken = e;
      int start = e.problemStart();
      return new Token(Kind.BROKEN, "", start, lexer.lineEnd(start));
    }
  }

  boolean takeIf(String symbolOrWord) {
    if (!next.is(symbolOrWord)) {
      return false;
    }
    take();
    return true;
  }

  Token expect(String symbolOrWord, String where) {
    if (!next.is(symbolOrWord)) {
      throw error("Expected '" + symbolOrWord + "' " + where + ", but found " + next.shown() + ".");
    }
    return take();
  }

  String name(String what) {
    if (next.kind() != Kind.WORD) {
      throw error("Expected " + what + ", but found " + next.shown() + ".");
    }
    return take().text();
  }

  SyntaxError error(String message) {
    return next.kind() == Kind.BROKEN && broken != null ? broken : lexer.error(next, message);
  }

  Lexer lexer() {
    return lexer;
  }

  /** Returns the place of an expression that starts there and ends with the last token taken. */
  SourceRange expressionFrom(int start) {
    return lexer.range(expressions++, start, consumed);
  }

  /** Returns the place of something else that starts there and ends with the last token taken. */
  SourceRange from(int start) {
    return lexer.range(-1, start, consumed);
  }

  int expressions() {
    return expressions;
  }
}
