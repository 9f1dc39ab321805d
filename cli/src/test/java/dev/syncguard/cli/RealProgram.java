package dev.syncguard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts the program as a user does, in a process of its own, and leaves none behind. */
final class RealProgram implements BeforeEachCallback, AfterEachCallback, AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<Process> started = new ArrayList<>();
  private final Map<String, String> variables = new HashMap<>();
  private Path directory = Path.of(".");

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    open();
  }

  /** For a test that needs several at once; {@link #close} must follow. */
  RealProgram open() throws IOException {
    directory = Files.createTempDirectory("syncguard-cli");
    variables.put("SYNCGUARD_STORE", "sqlite:" + store());
    return this;
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    close();
  }

  @Override
  public void close() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
    // What the program started may have a session of its own, but it still works in our directory.
    await("nobody is left who works in " + directory, () -> {
      List<ProcessHandle> left =
          ProcessHandle.allProcesses().filter(this::worksHere).toList();
      left.forEach(ProcessHandle::destroyForcibly);
      return left.isEmpty();
    });
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  private boolean worksHere(ProcessHandle process) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"))
          .equals(directory);
    } catch (IOException e) {
      return false; // It has ended, or is none of ours.
    }
  }

  /** Returns a path in a directory that is empty at first. */
  Path file(String name) {
    return directory.resolve(name);
  }

  Path store() {
    return file("locks.db");
  }

  RealProgram with(String variable, String value) {
    variables.put(variable, value);
    return this;
  }

  RealProgram without(String variable) {
    variables.put(variable, "");
    return this;
  }

  /** Returns the command line that starts the program in the way of this test. */
  static List<String> java() {
    return java(Main.class);
  }

  static List<String> java(Class<?> main) {
    return List.of(
        ProcessHandle.current().info().command().orElseThrow(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        main.getName());
  }

  Answer run(String... arguments) {
    return start(arguments).answer();
  }

  Running start(String... arguments) {
    List<String> command = new ArrayList<>(java());
    command.addAll(List.of(arguments));
    return startCommand(command);
  }

  Running startCommand(List<String> command) {
    try {
      Path out = Files.createTempFile(directory, "out", "");
      Path err = Files.createTempFile(directory, "err", "");
      // Whoever runs the tests in the background lets them ignore INT, and what they start would,
      // too.
      List<String> minding = new ArrayList<>(List.of("env", "--default-signal"));
      minding.addAll(command);
      ProcessBuilder builder = new ProcessBuilder(minding)
          .directory(directory.toFile())
          .redirectOutput(out.toFile())
          .redirectError(err.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("SYNCGUARD_"));
      variables.forEach((name, value) -> {
        if (value.isEmpty()) {
          builder.environment().remove(name);
        } else {
          builder.environment().put(name, value);
        }
      });
      Process process = builder.start();
      started.add(process);
      return new Running(process, out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a signal as anybody can. */
  static void kill(String signal, long pid) {
    try {
      assertThat(new ProcessBuilder("bash", "-c", "kill -s " + signal + " " + pid)
              .start()
              .waitFor())
          .isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static void await(String what, BooleanSupplier condition) {
    await(what, PATIENCE, condition);
  }

  static void await(String what, Duration patience, BooleanSupplier condition) {
    long end = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("gave up waiting until " + what).isNegative();
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** The program while it runs. */
  record Running(Process process, Path outFile, Path errFile) {

    long pid() {
      return process.pid();
    }

    void type(String text) {
      try {
        process.getOutputStream().write(text.getBytes(UTF_8));
        process.getOutputStream().flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    Running awaitOutput(String text) {
      await("it prints " + text + ", but: " + errFile, () -> out().contains(text));
      return this;
    }

    Running awaitError(String text) {
      await("it notes " + text, () -> err().contains(text));
      return this;
    }

    String out() {
      return read(outFile);
    }

    String err() {
      return read(errFile);
    }

    Answer answer() {
      return answer(PATIENCE);
    }

    Answer answer(Duration patience) {
      try {
        process.getOutputStream().close();
        assertThat(process.waitFor(patience.toSeconds(), TimeUnit.SECONDS))
            .as("ends")
            .isTrue();
      } catch (IOException e) {
        // It ended before it read everything.
        return new Answer(process.exitValue(), out(), err());
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return new Answer(process.exitValue(), out(), err());
    }

    private static String read(Path file) {
      try {
        return Files.readString(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
