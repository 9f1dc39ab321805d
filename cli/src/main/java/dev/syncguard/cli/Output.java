package dev.syncguard.cli;

import java.io.PrintStream;

/**
 * Where a command says things: its one answer on standard output, everything else on standard error.
 *
 * @param out standard output
 * @param err standard error
 * @param json whether the answer is a line of JSON, for programs, instead of a text for people
 */
record Output(PrintStream out, PrintStream err, boolean json) {

  /** Prints the answer in one of its two forms. */
  void answer(JsonLine line, String text) {
    out.println(json ? line.toString() : text);
    out.flush();
  }

  /** Returns whether an answer did not get out, because the disk is full or nobody reads it any more. */
  boolean isLost() {
    return out.checkError();
  }

  /** Prints an answer that only a program reads; people see it in the exit code. */
  void answer(JsonLine line) {
    if (json) {
      answer(line, "");
    }
  }

  /** Tells people something besides the answer. */
  void note(String text) {
    if (!json) {
      err.println(text);
    }
  }

  /** Tells those who keep logs that something happened, as a line of JSON whatever the answer looks like. */
  void event(JsonLine line) {
    err.println(line);
    err.flush();
  }

  /** Tells what went wrong, on one line. */
  void problem(String text) {
    err.println("syncguard: " + text.replaceAll("\\s*[\\r\\n]+\\s*", " "));
  }
}
