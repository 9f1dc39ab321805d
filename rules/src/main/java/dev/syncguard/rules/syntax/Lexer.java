package dev.syncguard.rules.syntax;

import dev.syncguard.rules.syntax.Token.Kind;
import java.util.Arrays;
import java.util.List;

/** Cuts a source into tokens, on demand, because only the parser knows whether a slash divides or starts a path. */
final class Lexer {
  private static final List<String> SYMBOLS = List.of(
      "&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", ";",
      ",", ".", "(", ")", "[", "]", "{", "}", "=");

  private final String source;
  private final int[] lineStarts;

  Lexer(String source) {
    this.source = source;
    this.lineStarts = lineStarts(source);
  }

  String source() {
    return source;
  }

  /** Returns the first token at or behind an offset. */
  Token tokenAt(int offset) {
    int start = skipBlank(offset);
    if (start >= source.length()) {
      return new Token(Kind.END, "", source.length(), source.length());
    }
    char first = source.charAt(start);
    if (isQuote(first)) {
      return new StringLiteral(this, start, start).token();
    }
    if (first == 'b' && start + 1 < source.length() && isQuote(source.charAt(start + 1))) {
      return new StringLiteral(this, start, start + 1).token();
    }
    if (isWordStart(first)) {
      int end = start + 1;
      while (end < source.length() && isWordPart(source.charAt(end))) {
        end++;
      }
      return new Token(Kind.WORD, source.substring(start, end), start, end);
    }
    if (isDigit(first) || (first == '.' && isDigit(charAt(start + 1)))) {
      return number(start);
    }
    for (String symbol : SYMBOLS) {
      if (source.startsWith(symbol, start)) {
        return new Token(Kind.SYMBOL, symbol, start, start + symbol.length());
      }
    }
    throw error(start, start + 1, "Unexpected character '" + first + "'.");
  }

  private Token number(int start) {
    int end = start;
    while (isDigit(charAt(end))) {
      end++;
    }
    Kind kind = Kind.INT;
    if (charAt(end) == '.' && isDigit(charAt(end + 1))) {
      kind = Kind.FLOAT;
      end++;
      while (isDigit(charAt(end))) {
        end++;
      }
    }
    int exponent = exponentEnd(end);
    if (exponent > end) {
      kind = Kind.FLOAT;
      end = exponent;
    }
    if (isWordPart(charAt(end))) {
      throw error(start, end + 1, "A number cannot be followed by '" + charAt(end) + "'.");
    }
    return new Token(kind, source.substring(start, end), start, end);
  }

  private int exponentEnd(int offset) {
    if (charAt(offset) != 'e' && charAt(offset) != 'E') {
      return offset;
    }
    int end = offset + 1;
    if (charAt(end) == '+' || charAt(end) == '-') {
      end++;
    }
    int digits = end;
    while (isDigit(charAt(end))) {
      end++;
    }
    return end > digits ? end : offset;
  }

  private int skipBlank(int offset) {
    int at = offset;
    while (at < source.length()) {
      if (Character.isWhitespace(source.charAt(at)) || source.charAt(at) == '\uFEFF') {
        at++;
      } else if (source.startsWith("//", at)) {
        int end = source.indexOf('\n', at);
        at = end < 0 ? source.length() : end + 1;
      } else if (source.startsWith("/*", at)) {
        int end = source.indexOf("*/", at + 2);
        if (end < 0) {
          throw error(at, at + 2, "This comment has no end; write */.");
        }
        at = end + 2;
      } else {
        return at;
      }
    }
    return at;
  }

  /** Returns the end of the line that an offset lies in. */
  int lineEnd(int offset) {
    int end = source.indexOf('\n', offset);
    return end < 0 ? source.length() : end;
  }

  /** Returns the character at an offset, or NUL behind the end. */
  char charAt(int offset) {
    return offset < source.length() ? source.charAt(offset) : '\0';
  }

  SourceRange range(int id, int start, int end) {
    int found = Arrays.binarySearch(lineStarts, start);
    int line = found >= 0 ? found : -found - 2;
    return new SourceRange(id, line + 1, start - lineStarts[line] + 1, start, end);
  }

  SyntaxError error(int start, int end, String message) {
    return new SyntaxError(range(-1, start, end), message);
  }

  SyntaxError error(Token token, String message) {
    return error(token.start(), token.end(), message);
  }

  private static boolean isQuote(char c) {
    return c == '\'' || c == '"';
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean isWordStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  static boolean isWordPart(char c) {
    return isWordStart(c) || isDigit(c);
  }

  private static int[] lineStarts(String source) {
    return java.util.stream.IntStream.concat(
            java.util.stream.IntStream.of(0),
            java.util.stream.IntStream.range(0, source.length())
                .filter(i -> source.charAt(i) == '\n')
                .map(i -> i + 1))
        .toArray();
  }
}
