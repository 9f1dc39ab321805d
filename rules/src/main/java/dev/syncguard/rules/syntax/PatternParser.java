package dev.syncguard.rules.syntax;

import java.util.ArrayList;
import java.util.List;

/** Reads the path of a match, in which spaces mean something. Not thread-safe. */
final class PatternParser {
  private final Tokens tokens;

  PatternParser(Tokens tokens) {
    this.tokens = tokens;
  }

  List<PatternSegment> read() {
    if (!tokens.peek().is("/")) {
      throw tokens.error(
          "The path of a match begins with '/', but found " + tokens.peek().shown() + ".");
    }
    Lexer lexer = tokens.lexer();
    List<PatternSegment> pattern = new ArrayList<>();
    int at = tokens.peek().start();
    while (lexer.charAt(at) == '/') {
      if (lexer.charAt(at + 1) == '{') {
        tokens.moveTo(at + 2);
        pattern.add(capture());
        at = tokens.expect("}", "after a wildcard").end();
      } else {
        int end = OperandParser.segmentEnd(lexer, at + 1);
        if (end == at + 1) {
          throw lexer.error(at, at + 1, "A path needs a segment after each '/'.");
        }
        pattern.add(new PatternSegment.Exactly(lexer.source().substring(at + 1, end)));
        at = end;
      }
    }
    tokens.moveTo(at);
    return List.copyOf(pattern);
  }

  private PatternSegment capture() {
    String name = tokens.name("the name of a wildcard");
    if (!tokens.takeIf("=")) {
      return new PatternSegment.One(name);
    }
    tokens.expect("*", "after '='");
    return tokens.takeIf("*") ? new PatternSegment.Many(name) : new PatternSegment.One(name);
  }
}
