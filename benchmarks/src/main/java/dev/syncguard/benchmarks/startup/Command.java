package dev.syncguard.benchmarks.startup;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * A program that is started and ends by itself; calling it returns how many milliseconds that took.
 *
 * @param exitCode what it has to end with
 */
record Command(List<String> line, Path store, int exitCode) implements Callable<Double> {

  private static final File NOWHERE = new File("/dev/null");

  Command(List<String> line, Path store) {
    this(line, store, 0);
  }

  @Override
  public Double call() throws Exception {
    ProcessBuilder builder = new ProcessBuilder(line)
        .redirectInput(NOWHERE)
        .redirectOutput(NOWHERE)
        .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("SYNCGUARD_STORE", "sqlite:" + store);
    long start = System.nanoTime();
    int code = builder.start().waitFor();
    long end = System.nanoTime();
    if (code != exitCode) {
      throw new IllegalStateException(
          "'" + String.join(" ", line.subList(1, line.size())) + "' ended with " + code);
    }
    return (end - start) / 1e6;
  }
}
