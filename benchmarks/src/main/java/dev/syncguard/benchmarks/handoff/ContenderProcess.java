package dev.syncguard.benchmarks.handoff;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** One process of a {@link ProcessArena}, seen from the arena. */
final class ContenderProcess implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 10;

  private final Process process;
  private final BufferedReader output;
  private final BufferedWriter input;

  private ContenderProcess(Process process) {
    this.process = process;
    this.output = process.inputReader();
    this.input = process.outputWriter();
  }

  static ContenderProcess start(
      Class<? extends Contender> contender, String location, Path batonFile, int number)
      throws IOException {
    // Eight of them share the machine with what they measure: neither garbage nor compilers should
    // use much of it.
    return new ContenderProcess(new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-cp",
            System.getProperty("java.class.path"),
            ContenderMain.class.getName(),
            contender.getName(),
            location,
            batonFile.toString(),
            Integer.toString(number))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start());
  }

  void send(String line) throws IOException {
    input.write(line);
    input.newLine();
    input.flush();
  }

  void expect(String line) throws IOException {
    String answer = answer();
    if (!answer.equals(line)) {
      throw new IllegalStateException("A contender process said '" + answer + "'");
    }
  }

  String answer() throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new IllegalStateException("A contender process ended; its error output says why");
    }
    return line;
  }

  /** Closes its input, upon which it ends by itself. */
  @Override
  public void close() {
    try {
      input.close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
