package dev.syncguard.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** The wall clock of a {@link RealProgram} and all that it starts; monotonic clocks stay as they are. */
final class WallClock {

  private final Path file;

  private WallClock(Path file) {
    this.file = file;
  }

  /** Makes the program read a clock that starts at the given distance from the real one. */
  static WallClock of(RealProgram program, String offset) throws IOException {
    WallClock clock = new WallClock(program.file("wall-clock"));
    clock.set(offset);
    program
        .with("LD_PRELOAD", library())
        .with("FAKETIME_TIMESTAMP_FILE", clock.file.toString())
        .with("FAKETIME_NO_CACHE", "1")
        .with("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        .with("FAKETIME_FORCE_MONOTONIC_FIX", "0");
    return clock;
  }

  /** Jumps to a distance from the real clock, such as {@code +1h}. */
  void set(String offset) throws IOException {
    Path next = Files.writeString(file.resolveSibling("wall-clock.next"), offset + "\n");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String library() throws IOException {
    try (Stream<Path> architectures = Files.list(Path.of("/usr/lib"))) {
      return architectures
          .map(path -> path.resolve("faketime/libfaketimeMT.so.1"))
          .filter(Files::exists)
          .findFirst()
          .orElseThrow(() -> new IllegalStateException(
              "libfaketime is missing; install it with: apt-get install faketime"))
          .toString();
    }
  }
}
