package dev.syncguard.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A clock that all processes of a machine read alike, that never jumps, and that counts while the machine sleeps.
 *
 * <p>Where there is no {@code /proc/uptime}, it is the wall clock.
 *
 * @param file where the seconds since the start of the machine are
 */
record SharedClock(Path file) {

  static final SharedClock OF_THIS_MACHINE = new SharedClock(Path.of("/proc/uptime"));

  /** Returns the time in hundredths of a second. */
  long hundredths() {
    if (!Files.isReadable(file)) {
      return System.currentTimeMillis() / 10;
    }
    try {
      String seconds = Files.readString(file).split(" ", 2)[0].strip();
      return Long.parseLong(seconds.replace(".", ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
