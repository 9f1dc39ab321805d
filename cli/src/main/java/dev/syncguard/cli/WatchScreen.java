package dev.syncguard.cli;

import dev.syncguard.lock.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The terminal while it shows live locks; closing it gives the terminal back as it was. */
final class WatchScreen implements AutoCloseable {

  private static final String ENTER = "\033[?1049h\033[?25l";
  private static final String LEAVE = "\033[?25h\033[?1049l";
  private static final String HOME = "\033[H";
  private static final String REST_OF_LINE = "\033[K";
  private static final String REST_OF_SCREEN = "\033[J";
  private static final Duration GLANCE = Duration.ofMillis(50);

  private final InputStream in;
  private final PrintStream out;
  private final String settings;
  private final Thread onExit;

  private WatchScreen(InputStream in, PrintStream out, String settings) {
    this.in = in;
    this.out = out;
    this.settings = settings;
    this.onExit = new Thread(this::restore);
  }

  static WatchScreen open(Surroundings surroundings) {
    WatchScreen screen =
        new WatchScreen(surroundings.in(), surroundings.out(), Terminal.stty("-g"));
    // The terminal must not stay as it is now, however this program ends.
    Runtime.getRuntime().addShutdownHook(screen.onExit);
    Terminal.stty("-icanon", "-echo");
    screen.out.print(ENTER);
    return screen;
  }

  void draw(LiveLocks live, Instant now) {
    Terminal.Size size = Terminal.size();
    StringBuilder frame = new StringBuilder(HOME);
    List<String> lines = frame(live, now, size.rows(), size.columns());
    for (int i = 0; i < lines.size(); i++) {
      frame.append(lines.get(i)).append(REST_OF_LINE).append(i + 1 < lines.size() ? "\r\n" : "");
    }
    out.print(frame.append(REST_OF_SCREEN));
    out.flush();
  }

  /** Returns what fits on a screen of the given size. */
  static List<String> frame(LiveLocks live, Instant now, int rows, int columns) {
    List<String> lines = new ArrayList<>();
    lines.add(live.count() + " at " + now.truncatedTo(ChronoUnit.SECONDS) + "   (q quits)");
    lines.add("");
    lines.addAll(LockTable.lines(live, columns));
    int fitting = Math.max(1, rows);
    if (lines.size() > fitting) {
      int hidden = lines.size() - fitting + 1;
      lines = new ArrayList<>(lines.subList(0, fitting - 1));
      lines.add("... and " + hidden + " more");
    }
    lines.replaceAll(
        line -> line.length() <= columns ? line : line.substring(0, Math.max(0, columns)));
    return lines;
  }

  /** Waits, and returns whether the user wants to quit. */
  boolean pause(Duration interval, Time.Signal stop) throws InterruptedException, IOException {
    long end = System.nanoTime() + interval.toNanos();
    do {
      while (in.available() > 0) {
        int key = in.read();
        if (key == 'q' || key == 'Q') {
          return true;
        }
      }
      if (stop.await(GLANCE)) {
        return true;
      }
    } while (System.nanoTime() - end < 0);
    return false;
  }

  private void restore() {
    out.print(LEAVE);
    out.flush();
    if (!settings.isEmpty()) {
      Terminal.stty(settings);
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(onExit);
    restore();
  }
}
