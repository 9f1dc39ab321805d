package dev.syncguard.cli;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Ends a lease. */
@Command(
    name = "release",
    description = "Ends a lease before its time.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard release                       # the lock id is in $SYNCGUARD_LOCK_ID",
      "  syncguard release --lock-id - < id.txt  # or in a file",
      "",
      "A lock id is a secret, and every user of the machine can read the arguments",
      "of a program: prefer the variable or standard input to an argument.",
      "",
      "Exit codes: 0 released, 1 there was no such lease any more."
    })
final class ReleaseCommand extends StoreCommand {

  @Parameters(arity = "0..1", paramLabel = "LOCK_ID", description = "What acquire printed.")
  private @Nullable String argument;

  @Mixin
  private final LockIdSource source = new LockIdSource();

  @Override
  Question prepare() {
    LockId lease = source
        .find(argument, surroundings())
        .orElseThrow(() -> wrong("Say which lease: set SYNCGUARD_LOCK_ID or give --lock-id"));
    return backend -> release(lease, backend);
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
