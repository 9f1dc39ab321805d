package dev.syncguard.rules.syntax;

/**
 * Something that is wrong or doubtful in the source.
 *
 * @param length how many characters of the line are meant, at least 1
 */
public record Problem(Severity severity, int line, int column, int length, String message) {
  /** How bad it is. */
  public enum Severity {
    /** Nothing can be decided with such a source. */
    ERROR,
    /** It probably does not do what it should. */
    WARNING
  }

  public Problem {
    length = Math.max(1, length);
  }

  /** Returns whether the source cannot be used because of it. */
  public boolean isError() {
    return severity == Severity.ERROR;
  }

  /** Returns a problem because of which the source cannot be used. */
  public static Problem error(SourceRange range, String message) {
    return at(Severity.ERROR, range, message);
  }

  /** Returns a problem with which the source can be used. */
  public static Problem warning(SourceRange range, String message) {
    return at(Severity.WARNING, range, message);
  }

  private static Problem at(Severity severity, SourceRange range, String message) {
    return new Problem(
        severity, range.line(), range.column(), range.end() - range.start(), message);
  }

  @Override
  public String toString() {
    return line + ":" + column + " " + severity + " " + message;
  }
}
