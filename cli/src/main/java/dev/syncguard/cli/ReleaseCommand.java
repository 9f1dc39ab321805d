package dev.syncguard.cli;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.telemetry.LockEvent;
import dev.syncguard.lock.telemetry.Telemetry;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Ends a lease. */
@Command(
    name = "release",
    description = "Ends a lease before its time.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard release                       # the lock id is in $SYNCGUARD_LOCK_ID",
      "  syncguard release --lock-id - < id.txt  # or in a file",
      "  syncguard release --key deploy --force  # whoever holds it; for operators",
      "",
      "A lock id is a secret, and every user of the machine can read the arguments",
      "of a program: prefer the variable or standard input to an argument.",
      "",
      "With --force the holder is not asked. It notices when it next extends the lease;",
      "until then only the check of its fence keeps it from doing harm. A line of JSON",
      "on standard error records what was done.",
      "",
      "Exit codes: 0 released, 1 there was no such lease any more."
    })
final class ReleaseCommand extends StoreCommand {

  @Parameters(arity = "0..1", paramLabel = "LOCK_ID", description = "What acquire printed.")
  private @Nullable String argument;

  @Mixin
  private final LockIdSource source = new LockIdSource();

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "Instead of a lock id: end the lease of whoever holds this key. Needs --force.")
  private @Nullable String keyText;

  @Option(
      names = "--force",
      description = "Take the key from its holder, who may still be at work.")
  private boolean force;

  @Override
  Question prepare() {
    if (keyText != null || force) {
      return prepareForced();
    }
    LockId lease = source
        .find(argument, surroundings())
        .orElseThrow(() -> wrong("Say which lease: set SYNCGUARD_LOCK_ID or give --lock-id"));
    return backend -> release(lease, backend);
  }

  private Question prepareForced() {
    if (keyText == null) {
      throw wrong("--force needs --key KEY; with a lock id there is nothing to force");
    }
    if (argument != null || source.isGiven()) {
      throw wrong("Release by --key or by lock id, not by both");
    }
    if (!force) {
      throw wrong(
          "--key ends the lease of whoever holds the key, perhaps in the middle of its work;"
              + " nothing was changed. Add --force if you mean that");
    }
    LockKey key = LockKey.of(keyText);
    return backend -> forceRelease(key, backend);
  }

  private int forceRelease(LockKey key, LockBackend backend) {
    LockBackend observed = Telemetry.to(this::tell).deliverOn(Runnable::run).over(backend);
    Optional<LockInfo> ended =
        observed.forceRelease(key, Cancellation.none()).map(LockInfoDebug::sanitized);
    JsonLine json = new JsonLine().add("ok", ended.isPresent());
    if (ended.isPresent()) {
      LockTable.describe(json, ended.get());
      output()
          .note("Released; the lease with fence " + ended.get().fence()
              + " is over, but its holder may not know yet");
    } else {
      json.add("reason", "not-found").add("keyHash", key.hash().hex());
      output().problem("Nobody held the key, or its holder has just changed; nothing was changed");
    }
    output().answer(json);
    return ended.isPresent() ? ExitCode.DONE : ExitCode.NO;
  }

  /** Leaves a trace of what was done to somebody else, where cron, systemd and the like keep it. */
  private void tell(LockEvent event) {
    JsonLine json = new JsonLine()
        .add("event", "force-release")
        .add("at", Instant.now().toString())
        .add("outcome", event.outcome() == LockEvent.Outcome.OK ? "ok" : "fail");
    event.keyHash().ifPresent(hash -> json.add("keyHash", hash.hex()));
    event.reason().ifPresent(reason -> json.add("reason", "not-found"));
    event.error().ifPresent(code -> json.add("error", code.specName()));
    output().event(json);
  }

  private int release(LockId lease, LockBackend backend) {
    ReleaseResult result = backend.release(lease, Cancellation.none());
    JsonLine json = new JsonLine().add("ok", result instanceof ReleaseResult.Released);
    if (result instanceof ReleaseResult.Absent absent) {
      Absences.describe(json, absent.reason());
      output().problem("There is no such lease any more; it was released or has ended");
    } else {
      output().note("Released");
    }
    output().answer(json.add("lockIdHash", lease.hash().hex()));
    return result instanceof ReleaseResult.Released ? ExitCode.DONE : ExitCode.NO;
  }
}
