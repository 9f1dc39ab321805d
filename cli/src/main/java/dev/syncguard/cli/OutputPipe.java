package dev.syncguard.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Standard output, if it is a pipe whose reader may leave, as {@code head -1} does when it has its line.
 *
 * <p>A shell that runs {@code $(server | head -1)} waits until both have ended, so a server has to notice. The system
 * tells only those who write, and a server has nothing more to say: so we look whether any process has the other end
 * open, and write only to make sure.
 */
record OutputPipe(Path target, PrintStream out) {

  private static final Path PROCESSES = Path.of("/proc");
  private static final Duration GLANCE = Duration.ofMillis(100);

  /** Returns the pipe, where the system can tell about it. */
  static Optional<OutputPipe> of(PrintStream standardOutput) {
    return target(PROCESSES.resolve("self/fd/1"))
        .filter(path -> path.toString().startsWith("pipe:"))
        .map(path -> new OutputPipe(path, standardOutput));
  }

  /** Runs something, on another thread, if the reader leaves within a while. */
  void whenAbandoned(Duration within, Runnable action) {
    Thread watch = new Thread(() -> watch(within, action), "syncguard-output");
    watch.setDaemon(true);
    watch.start();
  }

  private void watch(Duration within, Runnable action) {
    long end = System.nanoTime() + within.toNanos();
    try {
      while (System.nanoTime() - end < 0) {
        if (!isVisiblyRead()) {
          // A reader that belongs to somebody else is hidden from us, but gets the empty line.
          out.println();
          if (out.checkError()) {
            action.run();
          }
          return;
        }
        TimeUnit.NANOSECONDS.sleep(GLANCE.toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isVisiblyRead() {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      for (Path process : processes) {
        if (isReadBy(process)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private boolean isReadBy(Path process) {
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path descriptor : descriptors) {
        if (target(descriptor).equals(Optional.of(target)) && isForReading(process, descriptor)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      return false; // It has ended, or belongs to somebody else.
    }
  }

  /** The last octal digit of the flags is 0 for reading and 1 for writing. */
  private static boolean isForReading(Path process, Path descriptor) throws IOException {
    return Files.readString(process.resolve("fdinfo").resolve(descriptor.getFileName()))
        .lines()
        .anyMatch(line -> line.startsWith("flags:") && line.endsWith("0"));
  }

  private static Optional<Path> target(Path descriptor) {
    try {
      return Optional.of(Files.readSymbolicLink(descriptor));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
