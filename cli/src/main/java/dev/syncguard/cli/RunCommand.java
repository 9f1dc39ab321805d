package dev.syncguard.cli;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.LockRequest;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.LockBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a command while holding a lock. */
@Command(
    name = "run",
    sortOptions = false,
    customSynopsis = "syncguard run [OPTIONS] KEY -- COMMAND [ARGUMENT...]",
    description = {
      "Runs a command while holding a lock, and exits with its exit code.",
      "The lock is renewed for as long as the command runs. If that fails, the command and all of its"
          + " process group are stopped before anybody else can get the lock."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard run nightly-report -- ./report.sh",
      "  syncguard run --no-wait sync -- rsync -a src/ host:dst/   # or skip this time",
      "  syncguard run --wait 10m deploy -- sh -c 'deploy --fence \"$SYNCGUARD_FENCE\"'",
      "",
      "The command finds its fence in $SYNCGUARD_FENCE, its lock id in",
      "$SYNCGUARD_LOCK_ID. Hand the fence to whatever you write to, and let that",
      "refuse a lower one than it has seen.",
      "",
      "Exit codes: that of the command (128+n if signal n ended it); 75 the lock is",
      "busy; 69 the store did not answer, or the lease could not be renewed and the",
      "command was stopped; 126 and 127 as in a shell."
    })
final class RunCommand extends StoreCommand {

  private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
  private static final Duration LONGEST_HOLD = Duration.ofDays(365);
  private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(5);

  @Parameters(index = "0", paramLabel = "KEY", description = "The name of what is being protected.")
  private String keyText = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "What to run, with its arguments.")
  private List<String> command = List.of();

  @Mixin
  private final WaitOptions waiting = new WaitOptions();

  @Mixin
  private final NoteOption note = new NoteOption();

  @Option(
      names = "--ttl",
      paramLabel = "DURATION",
      converter = Durations.class,
      description = "How soon others get the lock if this machine dies (default: 30s).")
  private @Nullable Duration ttl;

  @Option(
      names = "--max-hold",
      paramLabel = "DURATION",
      converter = Durations.class,
      description =
          "Stop the command so that the lock is never held for longer (default: no limit).")
  private @Nullable Duration maxHold;

  @Option(
      names = "--kill-after",
      paramLabel = "DURATION",
      converter = Durations.class,
      defaultValue = "10s",
      description = "When the command has to be stopped: the time between TERM and KILL,"
          + " at most a quarter of the ttl (default: ${DEFAULT-VALUE}).")
  private Duration killAfter = Duration.ZERO;

  @Option(
      names = "--busy-exit-code",
      paramLabel = "CODE",
      defaultValue = "75",
      description = "The exit code when the lock is busy (default: ${DEFAULT-VALUE}).")
  private int busyExitCode;

  @Override
  Question prepare() {
    LockKey.of(keyText);
    waiting.check();
    note.check(LockNote::ofThisProcess);
    if (busyExitCode < 0 || busyExitCode > 255) {
      throw wrong("--busy-exit-code must be between 0 and 255");
    }
    Duration hold = maxHold == null ? LONGEST_HOLD : maxHold;
    Duration lease = ttl == null ? defaultTtl(hold) : ttl;
    Ttl.of(lease);
    if (lease.compareTo(SHORTEST_TTL) < 0) {
      throw wrong(
          "--ttl and --max-hold must be at least 1s, so that there is time to renew and to stop");
    }
    if (hold.compareTo(lease) < 0 || hold.compareTo(LONGEST_HOLD) > 0) {
      throw wrong("--max-hold must be between the ttl and 365d");
    }
    Executables executables = new Executables(surroundings().variable("PATH"));
    Optional<Path> program = executables.find(command.get(0));
    if (program.isEmpty()) {
      throw wrong(ExitCode.NOT_FOUND, "There is no such command to run");
    }
    if (!Files.isExecutable(program.get())) {
      throw wrong(ExitCode.NOT_EXECUTABLE, "The command to run is not executable");
    }
    return backend -> run(backend, lease, hold, executables);
  }

  private static Duration defaultTtl(Duration hold) {
    Duration usual = Duration.ofSeconds(30);
    return hold.compareTo(usual) < 0 ? hold : usual;
  }

  private int run(LockBackend backend, Duration leaseTtl, Duration hold, Executables executables) {
    try (Signals signals = Signals.catching(Signals.ALL);
        Locks locks = Locks.builder(backend).disposeTimeout(RELEASE_TIMEOUT).build()) {
      LockRequest request = locks
          .lock(keyText)
          .ttl(leaseTtl)
          .autoExtend(hold)
          .onReleaseError((error, failure) -> output()
              .problem("The lock could not be released (" + error.code().specName()
                  + "); it ends by itself within " + Durations.text(leaseTtl)));
      Optional<Lease> acquired;
      try {
        acquired =
            waiting.acquire(note.on(request, LockNote::ofThisProcess), signals.cancellation());
      } catch (RuntimeException e) {
        return signals.exitCodeOr(e);
      }
      if (acquired.isEmpty()) {
        return busy();
      }
      Consumer<String> checkpoint = surroundings().checkpoint();
      try (Lease lease = acquired.get()) {
        checkpoint.accept("lock taken");
        Isolation isolation = Isolation.choose(Terminal.isStandardInput(), executables);
        StopPlan plan = StopPlan.of(leaseTtl, killAfter);
        GuardedCommand guarded =
            new GuardedCommand(lease, hold, plan, isolation, executables, output(), checkpoint);
        int exitCode = report(lease, guarded.run(command, signals));
        checkpoint.accept("answered");
        return exitCode;
      } finally {
        checkpoint.accept("lock released");
      }
    }
  }

  private int report(Lease lease, GuardedCommand.Ending ending) {
    JsonLine json = new JsonLine()
        .add("ok", ending.exitCode() == ExitCode.DONE)
        .add("fence", lease.fence().text())
        .add("keyHash", lease.key().hash().hex())
        .add("lockIdHash", lease.id().hash().hex())
        .add("exitCode", ending.exitCode());
    ending.reason().ifPresent(reason -> json.add("reason", reason));
    output().answer(json);
    return ending.exitCode();
  }

  private int busy() {
    output().problem("The lock is busy, so the command was not run; wait longer with --wait");
    output()
        .answer(new JsonLine()
            .add("ok", false)
            .add("reason", "locked")
            .add("keyHash", LockKey.of(keyText).hash().hex()));
    return busyExitCode;
  }
}
