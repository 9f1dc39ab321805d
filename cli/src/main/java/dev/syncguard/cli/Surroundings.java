package dev.syncguard.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What the program was started with, so that a test can start it with something else.
 *
 * @param in standard input
 * @param out standard output
 * @param err standard error
 * @param variables the environment variables
 * @param checkpoint hears of every step between which {@code run} could be killed; for tests that do it
 */
record Surroundings(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> variables,
    Consumer<String> checkpoint) {

  Surroundings(InputStream in, PrintStream out, PrintStream err, Map<String, String> variables) {
    this(in, out, err, variables, new Unwatched());
  }

  /** Not a lambda: the first one of a JVM takes longer than the answer of a bare command. */
  private static final class Unwatched implements Consumer<String> {
    @Override
    public void accept(String step) {}
  }

  static Surroundings ofThisProcess() {
    return new Surroundings(System.in, System.out, System.err, System.getenv());
  }

  /** Returns a variable, or an empty text if it is not set. */
  String variable(String name) {
    return variables.getOrDefault(name, "");
  }

  boolean isDebugging() {
    return variable("SYNCGUARD_DEBUG").equals("true");
  }
}
