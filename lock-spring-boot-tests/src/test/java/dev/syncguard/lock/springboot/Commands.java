package dev.syncguard.lock.springboot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Programs of the machine. */
final class Commands {

  private Commands() {}

  static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new AssertionError(said);
    }
  }
}
