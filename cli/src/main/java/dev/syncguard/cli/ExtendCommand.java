package dev.syncguard.cli;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Moves the end of a lease. */
@Command(
    name = "extend",
    description =
        "Lets a lease end a ttl from now, later or earlier than before. Never revives one that has ended.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard extend --ttl 10m              # the lock id is in $SYNCGUARD_LOCK_ID",
      "  syncguard extend --lock-id - < id.txt   # or in a file",
      "",
      "A lock id is a secret, and every user of the machine can read the arguments",
      "of a program: prefer the variable or standard input to an argument.",
      "",
      "Exit codes: 0 extended, 1 there was no such lease any more."
    })
final class ExtendCommand extends StoreCommand {

  @Parameters(arity = "0..1", paramLabel = "LOCK_ID", description = "What acquire printed.")
  private @Nullable String argument;

  @Mixin
  private final LockIdSource source = new LockIdSource();

  @Option(
      names = "--ttl",
      paramLabel = "DURATION",
      converter = Durations.class,
      defaultValue = "30s",
      description = "When the lock ends by itself, from now (default: ${DEFAULT-VALUE}).")
  private Duration ttl = Duration.ZERO;

  @Override
  Question prepare() {
    Ttl.of(ttl);
    LockId lease = source
        .find(argument, surroundings())
        .orElseThrow(() -> wrong("Say which lease: set SYNCGUARD_LOCK_ID or give --lock-id"));
    return backend -> extend(lease, backend);
  }

  private int extend(LockId lease, LockBackend backend) {
    ExtendResult result = backend.extend(lease, Ttl.of(ttl), Cancellation.none());
    JsonLine json = new JsonLine().add("ok", result instanceof ExtendResult.Extended);
    if (result instanceof ExtendResult.Extended extended) {
      json.add("expiresAtMs", extended.expiresAt().toEpochMilli());
      output().note("Extended; ends in " + Durations.text(ttl) + " unless you extend it again");
    } else if (result instanceof ExtendResult.Absent absent) {
      Absences.describe(json, absent.reason());
      output().problem("There is no such lease any more; stop what it protected");
    }
    output().answer(json.add("lockIdHash", lease.hash().hex()));
    return result instanceof ExtendResult.Extended ? ExitCode.DONE : ExitCode.NO;
  }
}
