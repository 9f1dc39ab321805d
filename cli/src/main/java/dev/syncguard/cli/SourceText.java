package dev.syncguard.cli;

/** Fits pieces of a source into one line. */
final class SourceText {

  private static final int MOST = 72;

  private SourceText() {}

  static String shortened(String text) {
    String line = text.replaceAll("\\s+", " ");
    // Long expressions differ at their ends more often than at their beginnings.
    return line.length() <= MOST
        ? line
        : line.substring(0, MOST / 2) + "…" + line.substring(line.length() - MOST / 2);
  }
}
