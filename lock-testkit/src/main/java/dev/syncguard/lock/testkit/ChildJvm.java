package dev.syncguard.lock.testkit;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Another JVM that runs a main class of these tests. It is gone when the test is. */
public final class ChildJvm implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 120;

  // The driver unpacks its library here, and a killed JVM does not tidy up.
  private final TemporaryDirectory unpacked = new TemporaryDirectory();
  private final Process process;
  private final BufferedReader output;
  private boolean ready;

  private ChildJvm(List<String> program, String classPath, Class<?> main, Object... arguments) {
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xshare:auto",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Dorg.sqlite.tmpdir=" + unpacked.path(),
        "-cp",
        classPath,
        main.getName()));
    Stream.of(arguments).map(String::valueOf).forEach(command::add);
    try {
      process = new ProcessBuilder(command)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
      output = new BufferedReader(
          new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a main class in another JVM, with the class path of this one. */
  public static ChildJvm run(Class<?> main, Object... arguments) {
    return new ChildJvm(List.of(), classPath(), main, arguments);
  }

  /** Runs it without the jars whose names begin like this. */
  public static ChildJvm runWithout(String jar, Class<?> main, Object... arguments) {
    String classPath = Stream.of(classPath().split(File.pathSeparator, -1))
        .filter(part -> !String.valueOf(Path.of(part).getFileName()).startsWith(jar))
        .collect(Collectors.joining(File.pathSeparator));
    return new ChildJvm(List.of(), classPath, main, arguments);
  }

  /** Runs it by way of another program that takes the command as its last arguments. */
  public static ChildJvm runBy(List<String> program, Class<?> main, Object... arguments) {
    return new ChildJvm(program, classPath(), main, arguments);
  }

  /** The modules of this JVM, as a class path. */
  public static String classPath() {
    return Stream.of(
            Path.of("target", "test-classes").toAbsolutePath().toString(),
            Path.of("target", "classes").toAbsolutePath().toString(),
            System.getProperty("jdk.module.path", ""),
            System.getProperty("java.class.path", ""))
        .filter(part -> !part.isEmpty())
        .reduce((one, other) -> one + File.pathSeparator + other)
        .orElseThrow();
  }

  /** Sends it a signal such as STOP, and returns once that has been sent. */
  public void signal(String name) {
    try {
      int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
          .inheritIO()
          .start()
          .waitFor();
      if (status != 0) {
        throw new AssertionError("kill ended with " + status);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends it the one byte that it waits for. */
  public void tell() {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it says that it is ready, and remembers that it has. */
  public void awaitReady() {
    if (!ready && !nextLine().equals("ready")) {
      throw new AssertionError("The child process is not ready");
    }
    ready = true;
  }

  /** Returns the processor time that it has used. */
  public Duration cpu() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  /** Returns the next line that it prints, which must come. */
  public String nextLine() {
    return readLine().orElseThrow(() -> new AssertionError("The child process has ended"));
  }

  /** Returns all lines that are still to come. */
  public List<String> rest() {
    List<String> lines = new ArrayList<>();
    for (Optional<String> line = readLine(); line.isPresent(); line = readLine()) {
      lines.add(line.get());
    }
    return lines;
  }

  private Optional<String> readLine() {
    try {
      return Optional.ofNullable(output.readLine());
    } catch (IOException e) {
      // The pipe broke because the process was killed.
      return Optional.empty();
    }
  }

  /** Ends it as kill -9 does, and returns what it had printed before but nobody had read. */
  public List<String> kill() {
    process.destroyForcibly();
    List<String> printed = rest();
    // The pipe ends before the operating system has taken everything else away from it.
    exitCode();
    return printed;
  }

  /** Waits for the process to end and returns its exit code. */
  public int exitCode() {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("The child process does not end");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    exitCode();
    unpacked.close();
  }
}
