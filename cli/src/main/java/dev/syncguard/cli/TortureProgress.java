package dev.syncguard.cli;

import dev.syncguard.torture.Campaign;
import dev.syncguard.torture.Settings;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** A bar that shows how far a campaign is; without a terminal, a line now and then. Not thread-safe. */
final class TortureProgress implements Campaign.Progress {

  private static final int WIDTH = 30;
  private static final Duration ON_A_TERMINAL = Duration.ofMillis(200);
  private static final Duration ELSEWHERE = Duration.ofSeconds(30);

  private final PrintStream err;
  private final Duration length;
  private final boolean terminal;
  private final boolean silent;
  private Duration next = Duration.ZERO;

  private TortureProgress(PrintStream err, Duration length, boolean terminal, boolean silent) {
    this.err = err;
    this.length = length;
    this.terminal = terminal;
    this.silent = silent;
  }

  static TortureProgress on(Output output, Settings settings) {
    return new TortureProgress(
        output.err(), settings.length(), Terminal.isStandardError(), output.json());
  }

  @Override
  public void at(Duration elapsed, long grants, int faults) {
    if (silent || elapsed.compareTo(next) < 0) {
      return;
    }
    next = elapsed.plus(terminal ? ON_A_TERMINAL : ELSEWHERE);
    String line = line(elapsed, grants, faults);
    if (terminal) {
      err.print("\r" + line + "\033[K");
      err.flush();
    } else {
      err.println(line);
    }
  }

  private String line(Duration elapsed, long grants, int faults) {
    int done = (int) Math.min(WIDTH, WIDTH * elapsed.toMillis() / Math.max(1, length.toMillis()));
    return "[" + "#".repeat(done) + ".".repeat(WIDTH - done) + "] " + seconds(elapsed) + " of "
        + seconds(length) + ", " + grants + " locks, " + faults + " faults";
  }

  private static String seconds(Duration time) {
    return time.toMinutes() + ":" + String.format(Locale.ROOT, "%02d", time.toSecondsPart());
  }

  /** Leaves the line of the bar. */
  void end() {
    if (!silent && terminal) {
      err.print("\r\033[K");
      err.flush();
    }
  }
}
