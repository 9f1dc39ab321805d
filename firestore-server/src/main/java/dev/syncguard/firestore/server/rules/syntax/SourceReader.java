package dev.syncguard.firestore.server.rules.syntax;

/** Reads a source, without judging whether it makes sense. */
public final class SourceReader {
  private SourceReader() {}

  /** What came of it. */
  public sealed interface Result {}

  /** It can be read. */
  public record Parsed(RulesSource source) implements Result {}

  /** It cannot be read from some place on. */
  public record Unreadable(Problem problem) implements Result {}

  public static Result read(String source) {
    try {
      return new Parsed(new RulesParser(source).read());
    } catch (SyntaxError e) {
      return new Unreadable(e.problem());
    }
  }
}
