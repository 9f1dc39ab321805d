package dev.syncguard.cli;

import dev.syncguard.lock.BackendClosedException;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.LockRequest;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.ReleaseErrorHandler;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes a lock and leaves it taken. */
@Command(
    name = "acquire",
    description = {
      "Takes a lock that outlives this program, and prints its lock id.",
      "The lock ends after its ttl unless you extend or release it. To guard one command, prefer run."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  SYNCGUARD_LOCK_ID=$(syncguard acquire deploy --ttl 10m) || exit",
      "  export SYNCGUARD_LOCK_ID",
      "  syncguard extend --ttl 10m      # finds the lock id in the environment",
      "  syncguard release",
      "",
      "  syncguard acquire deploy --json | jq -r .fence",
      "",
      "Exit codes: 0 acquired, 75 busy."
    })
final class AcquireCommand extends StoreCommand {

  @Parameters(paramLabel = "KEY", description = "The name of what is being protected.")
  private String keyText = "";

  @Option(
      names = "--ttl",
      paramLabel = "DURATION",
      converter = Durations.class,
      defaultValue = "30s",
      description = "When the lock ends by itself (default: ${DEFAULT-VALUE}).")
  private Duration ttl = Duration.ZERO;

  @Mixin
  private final WaitOptions waiting = new WaitOptions();

  @Mixin
  private final NoteOption note = new NoteOption();

  @Override
  Question prepare() {
    LockKey.of(keyText);
    Ttl.of(ttl);
    waiting.check();
    note.check(LockNote::of);
    return this::acquire;
  }

  private int acquire(LockBackend backend) {
    // Never closed, since that would release the lease, which is to outlive this program.
    Locks locks =
        Locks.builder(backend).onReleaseError(AcquireCommand::releaseFailed).build();
    try (Signals signals = Signals.catching(Signals.ENDING)) {
      LockRequest request = note.on(locks.lock(keyText).ttl(ttl), LockNote::of);
      Optional<Lease> lease;
      try {
        lease = waiting.acquire(request, signals.cancellation());
      } catch (RuntimeException e) {
        return signals.exitCodeOr(e);
      }
      return lease.isPresent() ? acquired(lease.get()) : busy();
    }
  }

  // An attempt that failed is taken back in the background, for as long as this program runs. That
  // it ends meanwhile is no news: what failed has been told.
  private static void releaseFailed(LockException error, ReleaseErrorHandler.Failure failure) {
    if (!(error instanceof BackendClosedException)) {
      ReleaseErrorHandler.logging().releaseFailed(error, failure);
    }
  }

  private int acquired(Lease lease) {
    output()
        .note("Acquired with fence " + lease.fence() + "; ends in "
            + Durations.text(lease.remaining()) + " unless you extend it");
    output()
        .answer(
            new JsonLine()
                .add("ok", true)
                .add("lockId", lease.id().value())
                .add("fence", lease.fence().text())
                .add("expiresAtMs", lease.expiresAt().toEpochMilli())
                .add("remainingMs", lease.remaining().toMillis())
                .add("keyHash", lease.key().hash().hex())
                .add("lockIdHash", lease.id().hash().hex()),
            lease.id().value());
    if (output().isLost()) {
      // Nobody could release or extend it, and everybody would wait for its end.
      lease.release();
      output()
          .problem(
              "The lock id could not be printed, so the lock was released again; check where the output goes");
      return ExitCode.INTERNAL;
    }
    return ExitCode.DONE;
  }

  private int busy() {
    output().problem("The lock is busy; try again later or wait longer with --wait");
    output()
        .answer(new JsonLine()
            .add("ok", false)
            .add("reason", "locked")
            .add("keyHash", LockKey.of(keyText).hash().hex()));
    return ExitCode.BUSY;
  }
}
