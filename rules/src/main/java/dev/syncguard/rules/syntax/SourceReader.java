package dev.syncguard.rules.syntax;

import java.util.List;

/** Reads a source, without judging whether it makes sense. */
public final class SourceReader {
  private SourceReader() {}

  /** What came of it. */
  public sealed interface Result {}

  /** It can be read. */
  public record Parsed(RulesSource source) implements Result {}

  /** It cannot be read; at least one problem says where and why. */
  public record Unreadable(List<Problem> problems) implements Result {}

  /** Reads a source, and returns what it says or why it cannot be read. */
  public static Result read(String source) {
    RulesParser parser = new RulesParser(source);
    RulesSource read = parser.read();
    return parser.problems().isEmpty() ? new Parsed(read) : new Unreadable(parser.problems());
  }
}
