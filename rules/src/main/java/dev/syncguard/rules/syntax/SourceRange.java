package dev.syncguard.rules.syntax;

/**
 * A stretch of the source.
 *
 * @param id different for every expression of a file, counted from 0
 * @param line counted from 1
 * @param column counted from 1, in UTF-16 units
 * @param start the offset of the first character
 * @param end the offset behind the last character
 */
public record SourceRange(int id, int line, int column, int start, int end) {
  /** Returns the characters of the source that lie here. */
  public String textIn(String source) {
    return source.substring(start, end);
  }
}
