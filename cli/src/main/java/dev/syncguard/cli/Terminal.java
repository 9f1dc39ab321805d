package dev.syncguard.cli;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The terminal that this process was started from, as far as there is one. */
final class Terminal {

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private Terminal() {}

  static boolean isStandardInput() {
    return isTerminal(0);
  }

  static boolean isStandardOutput() {
    return isTerminal(1);
  }

  static boolean isStandardError() {
    return isTerminal(2);
  }

  private static boolean isTerminal(int descriptor) {
    try {
      if (Files.isDirectory(DESCRIPTORS)) {
        String target = Files.readSymbolicLink(DESCRIPTORS.resolve(Integer.toString(descriptor)))
            .toString();
        return target.startsWith("/dev/pts/")
            || target.startsWith("/dev/tty")
            || target.equals("/dev/console");
      }
      return new ProcessBuilder("test", "-t", Integer.toString(descriptor))
              .inheritIO()
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** How many characters fit. */
  record Size(int rows, int columns) {}

  /** Returns the size of the terminal, or the usual one if it does not know its own. */
  static Size size() {
    String[] numbers = stty("size").split(" ", -1);
    if (numbers.length != 2 || numbers[0].equals("0") || numbers[1].equals("0")) {
      return new Size(24, 80);
    }
    return new Size(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
  }

  /** Returns how wide a line on standard output may be; as wide as it likes, if nobody looks at a screen. */
  static int outputWidth() {
    return isStandardOutput() && isStandardInput() ? size().columns() : Integer.MAX_VALUE;
  }

  /** Runs {@code stty} on standard input and returns what it prints; empty if it fails. */
  static String stty(String... arguments) {
    List<String> command = new ArrayList<>(List.of("stty"));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command)
          .redirectInput(Redirect.INHERIT)
          .redirectError(Redirect.DISCARD)
          .start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
