package dev.syncguard.cli;

import dev.syncguard.lock.LockHash;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.LockBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the live locks as they come and go. */
@Command(
    name = "watch",
    description = {
      "Shows the live locks as they come and go, until you press q or Ctrl-C.",
      "Without a terminal it prints a line for each lock that was taken or became free; with --json, all locks"
          + " on one line whenever something changed."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard watch",
      "  syncguard watch --interval 200ms",
      "  syncguard watch --json | jq --unbuffered '.locks | length'"
    })
final class WatchCommand extends StoreCommand {

  private static final int LIMIT = 1000;
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(50);

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      converter = Durations.class,
      defaultValue = "1s",
      description = "How often to look (default: ${DEFAULT-VALUE}).")
  private Duration interval = Duration.ZERO;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "0",
      description = "Look so many times and end; 0 means for ever (default: ${DEFAULT-VALUE}).")
  private long count;

  @Option(names = "--raw", description = "For debugging: show keys instead of their hashes.")
  private boolean raw;

  @Override
  Stores.Purpose purpose() {
    return Stores.Purpose.LOOK;
  }

  @Override
  Question prepare() {
    if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
      throw wrong("--interval must be at least 50ms");
    }
    if (count < 0) {
      throw wrong("--count must not be negative");
    }
    return this::watch;
  }

  private int watch(LockBackend backend) {
    try (Signals signals = Signals.catching(Signals.ENDING)) {
      Time.Signal stop = Time.system().newSignal();
      try (var registration = signals.cancellation().onCancel(stop::fire)) {
        if (!output().json() && Terminal.isStandardInput() && Terminal.isStandardOutput()) {
          onScreen(backend, stop);
        } else {
          asLines(backend, stop);
        }
      }
      // Ctrl-C is the usual way out, so it is not an error.
      int signal = signals.endingNumber();
      return signal == 0 || signal == 2 ? ExitCode.DONE : ExitCode.ofSignal(signal);
    } catch (InterruptedException e) {
      throw new IllegalStateException("Nobody interrupts the main thread", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void onScreen(LockBackend backend, Time.Signal stop)
      throws InterruptedException, IOException {
    try (WatchScreen screen = WatchScreen.open(surroundings())) {
      for (long round = 1; ; round++) {
        screen.draw(LiveLocks.read(backend, LIMIT, raw), Instant.now());
        if (round == count || screen.pause(interval, stop)) {
          return;
        }
      }
    }
  }

  private void asLines(LockBackend backend, Time.Signal stop) throws InterruptedException {
    LiveLocks before = new LiveLocks(List.of(), Map.of(), true);
    for (long round = 1; ; round++) {
      LiveLocks live = LiveLocks.read(backend, LIMIT, raw);
      if (round == 1 || !ids(live).equals(ids(before))) {
        output().answer(live.json());
      }
      tellChanges(before, live);
      before = live;
      if (round == count || stop.await(interval)) {
        return;
      }
    }
  }

  private void tellChanges(LiveLocks before, LiveLocks after) {
    if (output().json()) {
      return;
    }
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    Set<LockHash> known = ids(before);
    Set<LockHash> still = ids(after);
    for (LockInfo lock : before.locks()) {
      if (!still.contains(lock.lockIdHash())) {
        tell(now + "  free    " + name(before, lock) + "  fence " + lock.fence());
      }
    }
    for (LockInfo lock : after.locks()) {
      if (!known.contains(lock.lockIdHash())) {
        tell(now + "  locked  " + name(after, lock) + "  fence " + lock.fence() + "  ends in "
            + Durations.text(lock.remaining())
            + lock.note().map(note -> "  " + note.text()).orElse(""));
      }
    }
    surroundings().out().flush();
  }

  private static Set<LockHash> ids(LiveLocks live) {
    return live.locks().stream().map(LockInfo::lockIdHash).collect(Collectors.toSet());
  }

  private static String name(LiveLocks live, LockInfo lock) {
    return live.key(lock)
        .map(key -> LockTable.printable(key.value()))
        .orElseGet(() -> lock.keyHash().toString());
  }

  private void tell(String line) {
    surroundings().out().println(line);
  }
}
