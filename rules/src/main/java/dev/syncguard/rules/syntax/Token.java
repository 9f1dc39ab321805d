package dev.syncguard.rules.syntax;

import com.google.protobuf.ByteString;

/**
 * The smallest piece of a source that means something.
 *
 * @param text the characters as written; for strings, what they stand for
 */
record Token(Kind kind, String text, int start, int end) {
  enum Kind {
    WORD,
    INT,
    FLOAT,
    STRING,
    BYTES,
    SYMBOL,
    /** What is no token, up to the end of its line. */
    BROKEN,
    END
  }

  boolean is(String symbolOrWord) {
    return (kind == Kind.SYMBOL || kind == Kind.WORD) && text.equals(symbolOrWord);
  }

  /** Returns the bytes of a bytes literal, of which each escape below 256 is one byte. */
  ByteString bytes() {
    return ByteString.copyFromUtf8(text);
  }

  String shown() {
    return switch (kind) {
      case END -> "the end of the file";
      case STRING, BYTES -> "a string";
      default -> "'" + text + "'";
    };
  }
}
