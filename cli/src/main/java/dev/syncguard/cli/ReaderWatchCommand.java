package dev.syncguard.cli;

import dev.syncguard.lock.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Shows what other devices change, as it comes in. */
@Command(
    name = "watch",
    description = "Shows what other devices change, as it comes in, until Ctrl-C.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard reader --device phone watch",
      "  syncguard reader watch --json | jq --unbuffered .read"
    })
final class ReaderWatchCommand implements Callable<Integer> {

  private static final Duration LOCAL = Duration.ofSeconds(3);
  private static final Duration REMOTE = Duration.ofMinutes(1);

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private ReaderCommand reader;

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      converter = Durations.class,
      description =
          "How often to look: 3s by default, 1m with --project, where each look is billed.")
  private @Nullable Duration interval;

  @Override
  public Integer call() {
    Duration pause = interval == null ? (reader.isLocal() ? LOCAL : REMOTE) : interval;
    if (pause.compareTo(Duration.ofSeconds(1)) < 0) {
      throw reader.wrong("--interval must be at least 1s");
    }
    try (Signals signals = Signals.catching(Signals.ENDING);
        ReaderSession session = reader.open(new ReaderSession.Events() {
          @Override
          public void notice(String text) {
            reader.output().note(text);
          }
        })) {
      Time.Signal stop = Time.system().newSignal();
      try (var registration = signals.cancellation().onCancel(stop::fire)) {
        session.start();
        watch(session, pause, stop);
      }
      int signal = signals.endingNumber();
      return signal == 0 || signal == 2 ? ExitCode.DONE : ExitCode.ofSignal(signal);
    } catch (InterruptedException e) {
      throw new IllegalStateException("Nobody interrupts the main thread", e);
    }
  }

  private void watch(ReaderSession session, Duration pause, Time.Signal stop)
      throws InterruptedException {
    ReaderSession.View known = session.view();
    reader.output().answer(ReaderAction.json(known), known.status().text());
    do {
      session.call(sync -> {
        sync.userActive();
        return true;
      });
      session.pull();
      ReaderSession.View now = session.view();
      tell(known, now);
      known = now;
    } while (!stop.await(pause));
  }

  private void tell(ReaderSession.View before, ReaderSession.View now) {
    boolean sameStatus = before.status().kind() == now.status().kind();
    boolean sameState = before.read().equals(now.read())
        && before.loadFrom().equals(now.loadFrom())
        && before.authors().equals(now.authors());
    if (sameStatus && sameState) {
      return;
    }
    if (reader.output().json()) {
      reader.output().answer(ReaderAction.json(now));
      return;
    }
    String time = Instant.now().truncatedTo(ChronoUnit.SECONDS) + "  ";
    if (!sameStatus) {
      line(time + now.status().text());
    }
    added(before.read(), now.read()).forEach(id -> line(time + "read " + id));
    if (!now.read().containsAll(before.read())) {
      line(time + "read marks were cleared, " + now.read().size() + " left");
    }
    if (!before.loadFrom().equals(now.loadFrom())) {
      line(time + "reading from " + (now.loadFrom().isEmpty() ? "no date" : now.loadFrom()));
    }
    now.authors().forEach((author, preference) -> {
      if (!preference.equals(before.authors().getOrDefault(author, 0))) {
        line(time + author + " " + Map.of(1, "up", -1, "down", 0, "none").get(preference));
      }
    });
  }

  private static Set<String> added(Set<String> before, Set<String> now) {
    Set<String> added = new HashSet<>(now);
    added.removeAll(before);
    return new TreeSet<>(added);
  }

  private void line(String text) {
    reader.output().out().println(text);
    reader.output().out().flush();
  }
}
