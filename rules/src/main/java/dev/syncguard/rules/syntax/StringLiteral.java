package dev.syncguard.rules.syntax;

/** Reads one string or bytes literal. */
final class StringLiteral {
  private final Lexer lexer;
  private final int start;
  private final char quote;
  private final boolean bytes;
  private final StringBuilder text = new StringBuilder();
  private int at;

  StringLiteral(Lexer lexer, int start, int quoteAt) {
    this.lexer = lexer;
    this.start = start;
    this.quote = lexer.charAt(quoteAt);
    this.bytes = quoteAt > start;
    this.at = quoteAt + 1;
  }

  Token token() {
    int length = lexer.source().length();
    while (at < length && lexer.charAt(at) != quote) {
      char c = lexer.charAt(at);
      if (c == '\n' || c == '\r') {
        break;
      }
      if (c == '\\') {
        escape();
      } else {
        text.append(c);
        at++;
      }
    }
    if (at >= length || lexer.charAt(at) != quote) {
      throw lexer.error(start, start + 1, "This string has no end; write " + quote + ".");
    }
    return new Token(bytes ? Token.Kind.BYTES : Token.Kind.STRING, text.toString(), start, at + 1);
  }

  private void escape() {
    char c = lexer.charAt(at + 1);
    switch (c) {
      case '\\', '\'', '"', '`', '/', '?' -> text.append(c);
      case 'n' -> text.append('\n');
      case 'r' -> text.append('\r');
      case 't' -> text.append('\t');
      case 'b' -> text.append('\b');
      case 'f' -> text.append('\f');
      case 'x' -> {
        hex(2);
        return;
      }
      case 'u' -> {
        hex(4);
        return;
      }
      default ->
        throw lexer.error(
            at,
            Math.min(at + 2, lexer.source().length()),
            "There is no escape \\" + c + ". In a regular expression, write \\\\" + c
                + " for its \\" + c + ".");
    }
    at += 2;
  }

  private void hex(int digits) {
    int value = 0;
    for (int i = 0; i < digits; i++) {
      int digit = Character.digit(lexer.charAt(at + 2 + i), 16);
      if (digit < 0) {
        throw lexer.error(at, at + 2, "This escape needs " + digits + " hexadecimal digits.");
      }
      value = value * 16 + digit;
    }
    text.append((char) value);
    at += 2 + digits;
  }
}
