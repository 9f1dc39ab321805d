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

  public boolean isError() {
    return severity == Severity.ERROR;
  }

  public static Problem error(Site site, String message) {
    return at(Severity.ERROR, site, message);
  }

  public static Problem warning(Site site, String message) {
    return at(Severity.WARNING, site, message);
  }

  private static Problem at(Severity severity, Site site, String message) {
    return new Problem(severity, site.line(), site.column(), site.end() - site.start(), message);
  }

  @Override
  public String toString() {
    return line + ":" + column + " " + severity + " " + message;
  }
}
