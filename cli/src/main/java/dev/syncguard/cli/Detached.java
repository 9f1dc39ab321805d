package dev.syncguard.cli;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * This program once more, as a process that stays when we end.
 *
 * @param pid its process id
 * @param announcement the first line that it printed, with which it says that it is ready
 */
record Detached(long pid, String announcement) {

  /** Tells the other process that nobody is going to read its output, and whether it takes the place of one that said all there is to say. */
  static final String VARIABLE = "SYNCGUARD_DETACHED";

  /** The value of the variable for a process that takes the place of one that has ended. */
  static final String SUCCESSOR = "successor";

  /** Which file to start instead of a bare JVM; the launcher says so. */
  private static final String LAUNCHER = "syncguard.launcher";

  /**
   * Starts the program with these arguments, and returns when it has printed a line.
   *
   * @param all what this process was started with
   * @param arguments what the other one is started with
   * @param successor whether it takes the place of this one
   * @throws EndedEarly if it ends before it is ready
   * @throws IOException if it cannot be started
   */
  static Detached start(
      List<String> all, List<String> arguments, boolean successor, Executables executables)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (executables.has("setsid")) {
      command.add("setsid"); // Or Ctrl-C would reach it, too.
    }
    command.addAll(thisProgram(all.size()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command)
        .redirectInput(new File("/dev/null"))
        .redirectError(Redirect.INHERIT);
    builder.environment().put(VARIABLE, successor ? SUCCESSOR : "true");
    Process process = builder.start();
    String line = new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
        .readLine();
    if (line == null || line.startsWith("{\"ok\":false")) {
      throw new EndedEarly(process.onExit().join().exitValue(), line == null ? "" : line);
    }
    return new Detached(process.pid(), line);
  }

  private static List<String> thisProgram(int argumentCount) throws IOException {
    String launcher = System.getProperty(LAUNCHER);
    if (launcher != null) {
      return List.of(launcher);
    }
    // ProcessHandle leaves out arguments that are as long as a class path.
    String[] words = Files.readString(Path.of("/proc/self/cmdline")).split("\0", -1);
    return List.of(words).subList(0, words.length - 1 - argumentCount);
  }

  /** Says that the other process ended before it was ready. It has said why on standard error. */
  static final class EndedEarly extends IOException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final String answer;

    private EndedEarly(int exitCode, String answer) {
      super("It ended before it was ready");
      this.exitCode = exitCode;
      this.answer = answer;
    }

    int exitCode() {
      return exitCode;
    }

    /** Returns what it answered to programs, or an empty text. */
    String answer() {
      return answer;
    }
  }
}
