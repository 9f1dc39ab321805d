package dev.syncguard.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;

/**
 * What the program was started with, so that a test can start it with something else.
 *
 * @param in standard input
 * @param out standard output
 * @param err standard error
 * @param variables the environment variables
 */
record Surroundings(
    InputStream in, PrintStream out, PrintStream err, Map<String, String> variables) {

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
