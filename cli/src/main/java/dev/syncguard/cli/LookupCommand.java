package dev.syncguard.cli;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockHash;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one lock. */
@Command(
    name = "lookup",
    description =
        "Shows who holds a key, or the lease with a lock id: hashes, fence, times, how many"
            + " wait, and the note of the holder.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard lookup deploy",
      "  syncguard lookup                        # the lease of $SYNCGUARD_LOCK_ID",
      "  syncguard lookup deploy --raw --json    # with key and lock id: a secret",
      "",
      "Exit codes: 0 found, 1 there is no such live lock."
    })
final class LookupCommand extends StoreCommand {

  @Parameters(
      arity = "0..1",
      paramLabel = "KEY",
      description = "The name of what is being protected.")
  private @Nullable String keyText;

  @Mixin
  private final LockIdSource source = new LockIdSource();

  @Option(
      names = "--raw",
      description = "For debugging: show key and lock id, with which anybody can release the lock.")
  private boolean raw;

  @Override
  Stores.Purpose purpose() {
    return Stores.Purpose.LOOK;
  }

  @Override
  Question prepare() {
    if (keyText != null && source.isGiven()) {
      throw wrong("Look up by KEY or by --lock-id, not by both");
    }
    LockQuery query = keyText != null
        ? new LockQuery.ByKey(LockKey.of(keyText))
        : new LockQuery.ById(source
            .find(null, surroundings())
            .orElseThrow(() -> wrong("Say what to look up: KEY or --lock-id")));
    return backend -> lookup(query, backend);
  }

  private int lookup(LockQuery query, LockBackend backend) {
    Optional<LockInfoDebug> found = backend.lookupRaw(query, Cancellation.none());
    if (found.isEmpty()) {
      output().problem("There is no such live lock");
      output().answer(absent(query));
      return ExitCode.NO;
    }
    LockInfo info = found.get().sanitized();
    JsonLine json = LockTable.describe(new JsonLine().add("ok", true), info);
    StringBuilder text = new StringBuilder();
    if (raw) {
      json.add("key", found.get().key().value())
          .add("lockId", found.get().lockId().value());
      text.append("key        ")
          .append(LockTable.printable(found.get().key().value()))
          .append("\nlock id    ")
          .append(found.get().lockId().value())
          .append('\n');
    }
    text.append("key hash   ")
        .append(info.keyHash())
        .append("\nlock hash  ")
        .append(info.lockIdHash())
        .append("\nfence      ")
        .append(info.fence())
        .append("\nacquired   ")
        .append(info.acquiredAt())
        .append("\nends       ")
        .append(info.expiresAt())
        .append(" (in ")
        .append(Durations.text(info.remaining()))
        .append(")\nwaiting    ")
        .append(LockTable.waiting(info, "unknown"));
    info.note().ifPresent(note -> text.append("\nnote       ").append(note.text()));
    output().answer(json, text.toString());
    return ExitCode.DONE;
  }

  private static JsonLine absent(LockQuery query) {
    JsonLine json = new JsonLine().add("ok", false).add("reason", "not-found");
    if (query instanceof LockQuery.ByKey byKey) {
      LockHash hash = byKey.key().hash();
      return json.add("keyHash", hash.hex());
    }
    LockId id = ((LockQuery.ById) query).id();
    return json.add("lockIdHash", id.hash().hex());
  }
}
